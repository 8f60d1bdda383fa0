import type { Draft } from './message.ts'

/** `metadata.daybook` of a message that holds what was recalled: it is never indexed and never learned from, or memory would feed on itself. */
export const RECALLED = 'recalled'

const OPEN = '<long_term_memory'
const CLOSE = '</long_term_memory>'

export function isRecalled({ metadata }: Pick<Draft, 'metadata'>): boolean {
  return metadata?.['daybook'] === RECALLED
}

/** Text without the blocks in which recalled material was shown. A block that is never closed ends with the text. */
export function withoutRecalled(text: string): string {
  let kept = ''
  for (let at = 0; ;) {
    const start = text.indexOf(OPEN, at)
    if (start === -1) return at === 0 ? text : kept + text.slice(at)
    kept += text.slice(at, start)
    const end = text.indexOf(CLOSE, start)
    if (end === -1) return kept
    at = end + CLOSE.length
  }
}
