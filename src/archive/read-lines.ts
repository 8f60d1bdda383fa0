import { damaged } from './damaged.ts'

/** Larger than any record that the library writes: a message and its blobs are limited long before. */
const LINE_BYTES_MAX = 256 * 1024 * 1024

export interface NumberedLine {
  /** The first line is 1. */
  readonly number: number
  /** Without its line end. */
  readonly bytes: Uint8Array
}

/** The lines of a stream, however it is cut. The last one must end, too: without its end it may be torn. */
export async function* readLines(
  source: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>,
): AsyncGenerator<NumberedLine> {
  let pieces: Buffer[] = []
  let held = 0
  let number = 0
  for await (const piece of source) {
    const chunk =
      typeof piece === 'string' ? Buffer.from(piece) : Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)
    let start = 0
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      number += 1
      const own = chunk.subarray(start, end)
      yield { number, bytes: pieces.length === 0 ? own : Buffer.concat([...pieces, own]) }
      pieces = []
      held = 0
      start = end + 1
    }
    if (start === chunk.length) continue
    // Copied: who gave the piece may use its memory again.
    pieces.push(Buffer.from(chunk.subarray(start)))
    held += chunk.length - start
    if (held > LINE_BYTES_MAX)
      throw damaged(number + 1, `it is longer than ${LINE_BYTES_MAX} bytes`, 'a record on a line')
  }
  if (held > 0) throw damaged(number + 1, 'it ends in the middle', 'the rest of it: the archive is torn')
}
