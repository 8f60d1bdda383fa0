import type { ByteWriter } from './byte-writer.ts'
import { PASSAGES_PER_SEQ } from './passages-per-seq.ts'
import { readNumbers } from './read-numbers.ts'

/**
 * Passages in which a term occurs, and what it is worth in each. In three lists of numbers: an object for each would take most of
 * the time of packing and unpacking.
 */
export class PostingList {
  readonly impacts: number[] = []
  readonly threads: number[] = []
  readonly places: number[] = []

  get size(): number {
    return this.impacts.length
  }

  add(impact: number, thread: number, place: number): void {
    this.impacts.push(impact)
    this.threads.push(thread)
    this.places.push(place)
  }

  /** Adds what `pack` wrote. */
  addPacked(bytes: Uint8Array): void {
    const next = readNumbers(bytes)
    const highest = next()
    const span = next() + 1
    for (let [thread, seq, left] = [0, 0, Math.min(next(), bytes.length)]; left > 0; left--) {
      const step = next()
      if (step % 2 === 0) seq += step / 2
      else {
        thread += (step - 1) / 2
        seq = next()
      }
      const rest = next()
      const below = rest % span
      this.add(highest - below, thread, seq * PASSAGES_PER_SEQ + (rest - below) / span)
    }
  }

  /** The best first, the newest first among equals. */
  best(limit: number): readonly number[] {
    const worst = this.#worstOf(limit)
    const order: number[] = []
    for (let one = 0; one < this.size; one++) if (this.#of(this.impacts, one) >= worst) order.push(one)
    const sorted = order.toSorted(
      (a, b) =>
        this.#of(this.impacts, b) - this.#of(this.impacts, a) ||
        this.#of(this.threads, b) - this.#of(this.threads, a) ||
        this.#of(this.places, b) - this.#of(this.places, a),
    )
    return sorted.slice(0, limit)
  }

  /** The impact of the last of the best so many: what has less need not be sorted. */
  #worstOf(limit: number): number {
    if (this.size <= limit) return 0
    const counts = new Uint32Array(256)
    for (const impact of this.impacts) counts[impact] = (counts[impact] ?? 0) + 1
    let [worst, found] = [255, counts[255] ?? 0]
    while (found < limit && worst > 0) found += counts[--worst] ?? 0
    return worst
  }

  /**
   * Packs some postings, or all: the highest impact, how far the lowest is below it, their number; then for each the step from the place
   * of the one before, and its passage together with how far its impact is below the highest.
   */
  pack(writer: ByteWriter, chosen?: readonly number[]): Uint8Array {
    this.write(writer, chosen)
    return writer.take()
  }

  /** The same into a writer that goes on. */
  write(writer: ByteWriter, chosen?: readonly number[]): void {
    const some = this.#inOrder(chosen)
    const size = some?.length ?? this.size
    const { highest, lowest } = this.bounds(some)
    const span = highest - lowest + 1
    writer.number(highest)
    writer.number(span - 1)
    writer.number(size)
    let [thread, seq] = [0, 0]
    for (let nth = 0; nth < size; nth++) {
      const one = some === undefined ? nth : this.#of(some, nth)
      const own = this.#of(this.threads, one)
      const place = this.#of(this.places, one)
      const index = place % PASSAGES_PER_SEQ
      const ownSeq = (place - index) / PASSAGES_PER_SEQ
      if (own === thread) writer.number((ownSeq - seq) * 2)
      else {
        writer.number((own - thread) * 2 + 1)
        writer.number(ownSeq)
      }
      writer.number(index * span + highest - this.#of(this.impacts, one))
      thread = own
      seq = ownSeq
    }
  }

  /** Of some, or of all. */
  bounds(some?: readonly number[]): { readonly highest: number; readonly lowest: number } {
    let [highest, lowest] = [0, 255]
    const size = some?.length ?? this.size
    for (let nth = 0; nth < size; nth++) {
      const impact = this.#of(this.impacts, some === undefined ? nth : this.#of(some, nth))
      if (impact > highest) highest = impact
      if (impact < lowest) lowest = impact
    }
    return { highest, lowest }
  }

  #of(list: readonly number[], index: number): number {
    return list[index] ?? 0
  }

  /** Some, or all, by thread and place; `undefined` for all where they already stand so, as new ones do. */
  #inOrder(chosen: readonly number[] | undefined): readonly number[] | undefined {
    if (chosen === undefined && this.#isInOrder()) return undefined
    return (chosen ?? Array.from(this.impacts.keys())).toSorted((a, b) => this.#compare(a, b))
  }

  #isInOrder(): boolean {
    for (let nth = 1; nth < this.size; nth++) if (this.#compare(nth - 1, nth) > 0) return false
    return true
  }

  #compare(a: number, b: number): number {
    return this.#of(this.threads, a) - this.#of(this.threads, b) || this.#of(this.places, a) - this.#of(this.places, b)
  }
}
