/**
 * The heights of a list's rows: measured where a row was drawn, estimated elsewhere. Every method takes log n steps, so that a
 * hundred thousand rows cost no more than a screenful.
 */
export class RowHeights {
  readonly count: number
  readonly #estimate: number
  /** Of measured rows, how much they differ from the estimate. */
  readonly #differences = new Map<number, number>()
  /** The same as sums over ranges of rows (a Fenwick tree). */
  readonly #sums: Float64Array

  constructor(count: number, estimate: number) {
    this.count = count
    this.#estimate = estimate
    this.#sums = new Float64Array(count + 1)
  }

  /** The height of all rows. */
  get total(): number {
    return this.startOf(this.count)
  }

  heightOf(row: number): number {
    return this.#estimate + (this.#differences.get(row) ?? 0)
  }

  /** Stores a measured height. Returns by how much it changed. */
  measure(row: number, height: number): number {
    if (row < 0 || row >= this.count) return 0
    const change = height - this.heightOf(row)
    if (change === 0) return 0
    this.#differences.set(row, height - this.#estimate)
    for (let at = row + 1; at <= this.count; at += at & -at) this.#sums[at] = (this.#sums[at] ?? 0) + change
    return change
  }

  /** Where a row begins. */
  startOf(row: number): number {
    let sum = row * this.#estimate
    for (let at = row; at > 0; at -= at & -at) sum += this.#sums[at] ?? 0
    return sum
  }

  /** The row at this height: the first or the last one if the height is above or below all of them. */
  rowAt(height: number): number {
    let row = 0
    let rest = height
    for (let step = 2 ** Math.floor(Math.log2(this.count || 1)); step >= 1; step /= 2) {
      const size = step * this.#estimate + (this.#sums[row + step] ?? 0)
      if (row + step > this.count || size > rest) continue
      row += step
      rest -= size
    }
    return Math.min(row, Math.max(0, this.count - 1))
  }
}
