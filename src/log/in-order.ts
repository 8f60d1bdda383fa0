import type { Address } from './log.ts'

/**
 * Keeps writes to one session in the order in which they were called. Counting the tokens of a long message or reading a
 * file takes a while; without this, a short message that was said later would overtake it.
 */
export class InOrder {
  readonly #tails = new Map<string, Promise<unknown>>()

  /** What the work gives, once everything called before for the same session is ready too. */
  async after<Result>({ scope, session }: Address, work: Promise<Result>): Promise<Result> {
    const key = JSON.stringify([scope, session])
    const before = this.#tails.get(key)
    const turn = before === undefined ? work : Promise.allSettled([before, work])
    const tail = turn.then(ignore, ignore)
    this.#tails.set(key, tail)
    try {
      if (before !== undefined) await turn
      return await work
    } finally {
      if (this.#tails.get(key) === tail) this.#tails.delete(key)
    }
  }
}

function ignore(): undefined {
  return undefined
}
