import { ByteWriter } from './byte-writer.ts'
import { PostingList } from './posting-list.ts'
import { readNumbers } from './read-numbers.ts'

/** More postings of one term have rows of their own, each with better ones than the next: the best are found in the first. */
export const POSTINGS_PER_ROW = 256
/** A row that is not longer needs no page of its own. */
const ROW_BYTES_MAX = 900

/** Postings of the terms from one to the next row, or some of those of one term that has several rows. */
export interface PostingRow {
  /** The first of its terms, or one before it. */
  readonly term: number
  readonly part: number
  readonly highest: number
  readonly lowest: number
  readonly hits: Uint8Array
}

/** The postings of one term in a row, still packed. */
export interface TermBlock {
  readonly term: number
  readonly bytes: Uint8Array
}

/** What a row has: for each term the step from the one before, the number of its bytes, and those. */
export function blocksOf({ term: first, hits }: Pick<PostingRow, 'term' | 'hits'>): readonly TermBlock[] {
  const blocks: TermBlock[] = []
  let term = first
  for (let at = 0; at < hits.length;) {
    let [step, length] = [0, 0]
    ;[step, at] = numberAt(hits, at)
    ;[length, at] = numberAt(hits, at)
    term += step
    blocks.push({ term, bytes: hits.subarray(at, at + length) })
    at += length
  }
  return blocks
}

function numberAt(bytes: Uint8Array, at: number): readonly [number: number, end: number] {
  const byte = bytes[at] ?? 0
  if (byte < 128) return [byte, at + 1]
  let [value, unit, end] = [byte - 128, 128, at + 1]
  for (let more = true; more; end++) {
    const next = bytes[end] ?? 0
    more = next >= 128
    value += (more ? next - 128 : next) * unit
    unit *= 128
  }
  return [value, end]
}

/** The postings of a term in rows. */
export function listOf(rows: readonly Pick<PostingRow, 'term' | 'hits'>[], term: number): PostingList {
  const list = new PostingList()
  for (const row of rows) for (const block of blocksOf(row)) if (block.term === term) list.addPacked(block.bytes)
  return list
}

/** How many postings a block has. */
export function blockSize({ bytes }: TermBlock): number {
  return headOf(bytes).size
}

function headOf(bytes: Uint8Array): { readonly highest: number; readonly lowest: number; readonly size: number } {
  const next = readNumbers(bytes)
  const highest = next()
  return { highest, lowest: highest - next(), size: next() }
}

/** Puts the postings of terms, one after the other in their order, into rows. */
export class RowPacker {
  readonly rows: PostingRow[] = []
  readonly #row = new ByteWriter()
  readonly #block = new ByteWriter()
  #first = -1
  #last = -1
  #highest = 0
  #lowest = 255

  add(term: number, list: PostingList): void {
    if (list.size === 0) return
    if (list.size <= POSTINGS_PER_ROW) {
      list.write(this.#block)
      const bytes = this.#block.written
      this.#makeRoom(bytes)
      this.#put(term, bytes, list.bounds())
      this.#block.empty()
      return
    }
    const best = list.best(list.size)
    for (let from = 0; from < best.length; from += POSTINGS_PER_ROW) {
      this.#flush(from / POSTINGS_PER_ROW - 1)
      const some = best.slice(from, from + POSTINGS_PER_ROW)
      this.#put(term, list.pack(this.#block, some), list.bounds(some))
    }
    this.#flush(Math.ceil(best.length / POSTINGS_PER_ROW) - 1)
  }

  addBlock({ term, bytes }: TermBlock): void {
    this.#makeRoom(bytes)
    this.#put(term, bytes, headOf(bytes))
  }

  #makeRoom(block: Uint8Array): void {
    if (this.#row.length + block.length > ROW_BYTES_MAX) this.#flush(0)
  }

  /** The rows, when nothing more comes. */
  end(): readonly PostingRow[] {
    this.#flush(0)
    return this.rows
  }

  #put(
    term: number,
    bytes: Uint8Array,
    { highest, lowest }: { readonly highest: number; readonly lowest: number },
  ): void {
    if (this.#first === -1) this.#first = this.#last = term
    this.#row.number(term - this.#last)
    this.#row.number(bytes.length)
    this.#row.bytes(bytes)
    this.#last = term
    this.#highest = Math.max(this.#highest, highest)
    this.#lowest = Math.min(this.#lowest, lowest)
  }

  #flush(part: number): void {
    if (this.#first === -1) return
    const [highest, lowest] = [this.#highest, this.#lowest]
    this.rows.push({ term: this.#first, part: Math.max(0, part), highest, lowest, hits: this.#row.take() })
    this.#first = -1
    this.#highest = 0
    this.#lowest = 255
  }
}
