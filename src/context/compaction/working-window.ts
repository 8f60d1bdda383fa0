import type { Fold } from '../../domain/fold.ts'
import { type Size, sizeOf } from './bounds.ts'
import type { Entry } from '../window/entry.ts'

/** A window while a step folds it: every fold costs what it hides, so that a step is linear in the window. */
export class WorkingWindow {
  readonly #slots: (Entry | undefined)[]
  readonly #places = new Map<Entry, number>()
  #size: Size

  constructor(entries: readonly Entry[]) {
    this.#slots = [...entries]
    for (const [place, entry] of entries.entries()) this.#places.set(entry, place)
    this.#size = sizeOf(entries)
  }

  get size(): Size {
    return this.#size
  }

  get entries(): readonly Entry[] {
    return this.#slots.filter((entry) => entry !== undefined)
  }

  has(entry: Entry): boolean {
    return this.#places.has(entry)
  }

  /** Puts a fold at the place of the first entry that it hides. */
  fold(fold: Fold, hidden: readonly Entry[]): void {
    let first = this.#slots.length
    for (const entry of hidden) {
      const place = this.#places.get(entry)
      if (place === undefined) continue
      this.#slots[place] = undefined
      this.#places.delete(entry)
      first = Math.min(first, place)
    }
    const entry: Entry = { type: 'fold', fold }
    this.#slots[first] = entry
    this.#places.set(entry, first)
    const [before, after] = [sizeOf(hidden), sizeOf([entry])]
    this.#size = {
      tokens: this.#size.tokens - before.tokens + after.tokens,
      entries: this.#size.entries - before.entries + after.entries,
    }
  }
}
