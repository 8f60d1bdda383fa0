import { defined } from '../domain/defined.ts'
import type { Dialect } from '../domain/dialect.ts'
import { plainReading } from './canonical/plain-reading.ts'
import { unreadable } from './canonical/unreadable.ts'
import { checkConvertOptions } from './check-arguments.ts'
import type { Writing } from './codec.ts'
import { codecs } from './codecs.ts'
import type { DialectForms } from './forms.ts'

export interface ConvertOptions<From extends Dialect, To extends Dialect> {
  readonly from: From
  readonly to: To
  /**
   * The bytes of images and files that the log stores, by hash.
   *
   * @default none: a part with `source: { type: 'blob' }` is then an error, except on the way to `daybook`
   */
  readonly blobs?: ReadonlyMap<string, Uint8Array>
  /** The model the result is meant for, where a dialect depends on it: see `LintOptions`. */
  readonly model?: string
}

/**
 * A transcript in another dialect. What the target has no words for is left out, or written as text (agent calls,
 * structured data, media it cannot show): the log keeps the original. Blocks that only their own dialect knows go
 * back to it unchanged. A valid transcript gives a valid one; a broken one stays broken, see `repair`.
 *
 * @throws {MemoryError} `input/invalid` for a dialect or an option that does not exist; `dialect/unreadable` if the top level is not of the dialect `from`; `dialect/missing-blob` if
 * `blobs` lacks the bytes of a stored image or file.
 */
export function convert<From extends Dialect, To extends Dialect>(
  messages: unknown,
  options: ConvertOptions<From, To>,
): DialectForms[To] {
  checkConvertOptions(options)
  const { from, to, blobs, model } = options
  const drafts = codecs[from].read(messages, plainReading)
  if (drafts === undefined)
    throw unreadable(`a transcript of the dialect "${from}"`, from, messages, codecs[from].wanted)
  const writing: Writing = {
    blobs: blobs ?? new Map(),
    options: defined({ model }),
    bare: false,
    verbatim: () => undefined,
    note: () => undefined,
  }
  return codecs[to].write(drafts, writing)
}
