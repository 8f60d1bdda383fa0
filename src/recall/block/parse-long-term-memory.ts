import { LONG_TERM_TAG } from '../../domain/recalled.ts'
import { refuse } from '../../domain/refuse.ts'
import type { Trust } from '../../domain/trust.ts'
import type { LongTermItem } from './long-term-item.ts'
import { levels } from './render-long-term-memory.ts'

const OPENING = new RegExp(`^<${LONG_TERM_TAG} nonce="[0-9A-Za-z-]*">$`)
const STRING = String.raw`"(?:[^"\\]|\\.)*"`
const WORD = String.raw`(?:${STRING}|[^\s"]+)`
const HEADING = new RegExp(String.raw`^([+-]?\d{4,6}-\d\d-\d\d|undated)(?: (${WORD}))?$`)
const RECORD = new RegExp(String.raw`^(?:(#\d+) )?(?:(\d\d:\d\d) )?(${WORD}) (${STRING})(?: \+(\d+) characters)?$`)

/**
 * The items of a rendered block: exactly those that were rendered, by trust, and by the first of each session and day.
 *
 * @throws {MemoryError} `input/invalid` if the text is no such block.
 */
export function parseLongTermMemory(text: string): readonly LongTermItem[] {
  if (text === '') return []
  const [first = '', , ...rest] = text.split('\n')
  const last = rest.pop()
  if (!OPENING.test(first) || last !== `</${LONG_TERM_TAG}>`)
    refuse('read a memory block', 'text', text, `one <${LONG_TERM_TAG}> block`)
  const items: LongTermItem[] = []
  let [day, session, minute] = ['', '', '']
  let trust: Trust = 0
  for (const line of rest) {
    trust = levels.find(([, heading]) => heading === line)?.[0] ?? trust
    const heading = HEADING.exec(line)
    if (heading !== null) [day, session, minute] = [heading[1] ?? '', bare(heading[2] ?? ''), '']
    const [, number = '', time, speaker = '', said, cut] = RECORD.exec(line) ?? []
    if (heading !== null || said === undefined) continue
    minute = time ?? minute
    items.push({
      id: `${session}${number}`,
      speaker: bare(speaker),
      at: day === 'undated' ? '' : `${day}T${minute}Z`,
      trust,
      text: bare(said),
      ...(cut !== undefined && { cut: Number(cut) }),
    })
  }
  return items
}

function bare(word: string): string {
  return word.startsWith('"') ? (JSON.parse(word) as string) : word
}
