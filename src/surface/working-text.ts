import { refuse } from '../domain/refuse.ts'
import { utf8Length } from '../domain/utf8-length.ts'
import type { Shape } from '../shape/shape.ts'
import { checkedBy } from '../shape/values.ts'

const BYTES_MAX = 64 * 1024

/** The text of a note or a task: not blank, and of at most 64 KiB. */
export const aWorkingText: Shape<string> = checkedBy({ kind: 'text', min: 1 }, 'some text', (attempt, path, given) => {
  if (typeof given !== 'string' || given.trim() === '') refuse(attempt, path, given, 'some text')
  if (utf8Length(given) > BYTES_MAX) refuse(attempt, path, given, 'at most 64 KiB of text')
})
