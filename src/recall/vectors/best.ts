export interface Scored {
  readonly number: number
  readonly score: number
}

/** The best of many, by score and then by the lower number: which ones does not depend on the order they came in. */
export class Best {
  readonly #limit: number
  /** A heap: the worst of the best is first. */
  readonly #heap: Scored[] = []

  constructor(limit: number) {
    this.#limit = limit
  }

  /** What is below this is no longer wanted. */
  get threshold(): number {
    return this.#heap.length < this.#limit ? -Infinity : (this.#heap[0]?.score ?? -Infinity)
  }

  add(number: number, score: number): void {
    const scored = { number, score }
    if (this.#heap.length < this.#limit) {
      this.#heap.push(scored)
      this.#rise(this.#heap.length - 1)
      return
    }
    const worst = this.#heap[0]
    if (worst === undefined || !isWorse(worst, scored)) return
    this.#heap[0] = scored
    this.#sink(0)
  }

  sorted(): readonly Scored[] {
    return this.#heap.toSorted((a, b) => b.score - a.score || a.number - b.number)
  }

  #rise(from: number): void {
    for (let at = from; at > 0;) {
      const parent = (at - 1) >> 1
      if (!this.#swapIfWorse(at, parent)) return
      at = parent
    }
  }

  #sink(from: number): void {
    for (let at = from; ;) {
      const [left, right] = [2 * at + 1, 2 * at + 2]
      const a = this.#heap[left]
      const b = this.#heap[right]
      const child = a !== undefined && b !== undefined && isWorse(b, a) ? right : left
      if (!this.#swapIfWorse(child, at)) return
      at = child
    }
  }

  #swapIfWorse(child: number, parent: number): boolean {
    const [a, b] = [this.#heap[child], this.#heap[parent]]
    if (a === undefined || b === undefined || !isWorse(a, b)) return false
    this.#heap[child] = b
    this.#heap[parent] = a
    return true
  }
}

function isWorse(a: Scored, b: Scored): boolean {
  return a.score < b.score || (a.score === b.score && a.number > b.number)
}
