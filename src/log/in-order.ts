import { pairKey } from '../domain/pair-key.ts'
import type { Address } from './log.ts'

/**
 * Keeps writes to one session in the order in which they were called. Counting the tokens of a long message or reading a
 * file takes a while; without this, a short message that was said later would overtake it.
 */
export class InOrder {
  readonly #tails = new Map<string, Promise<unknown>>()

  /** Whether something that was called before for this session is not ready yet. */
  isWaiting({ scope, session }: Address): boolean {
    return this.#tails.size > 0 && this.#tails.has(pairKey(scope, session))
  }

  /** What the work gives, once everything called before for the same session is ready too. */
  after<Result>({ scope, session }: Address, work: Promise<Result>): Promise<Result> {
    const key = pairKey(scope, session)
    const before = this.#tails.get(key)
    const turn = before === undefined ? work : Promise.allSettled([before, work]).then(() => work)
    const end = (): void => {
      if (this.#tails.get(key) === turn) this.#tails.delete(key)
    }
    this.#tails.set(key, turn)
    turn.then(end).catch(end)
    return turn
  }
}
