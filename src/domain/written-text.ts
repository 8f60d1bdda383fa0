import type { Part } from './part.ts'

/** The text of a message that somebody wrote: its text parts, without reasoning, calls and results. */
export function writtenText(parts: readonly Part[]): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}
