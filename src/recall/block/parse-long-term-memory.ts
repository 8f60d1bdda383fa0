import { LONG_TERM_TAG } from '../../domain/recalled.ts'
import { refuse } from '../../domain/refuse.ts'
import type { LongTermItem } from './long-term-item.ts'

const OPENING = new RegExp(`^<${LONG_TERM_TAG} nonce="[0-9A-Za-z-]*">$`)

/**
 * The items of a rendered block: exactly those that were rendered, by trust.
 *
 * @throws {MemoryError} `input/invalid` if the text is no such block.
 */
export function parseLongTermMemory(text: string): readonly LongTermItem[] {
  if (text === '') return []
  const lines = text.split('\n')
  const [first = '', , ...rest] = lines
  const last = rest.pop()
  if (!OPENING.test(first) || last !== `</${LONG_TERM_TAG}>`)
    refuse('read a memory block', 'text', text, `one <${LONG_TERM_TAG}> block`)
  // A heading begins with a letter or a bracket; a record is the only line that begins with a brace.
  return rest.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as LongTermItem)
}
