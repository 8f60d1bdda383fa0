import { refuse } from '../domain/refuse.ts'
import type { Clock } from '../ports/clock.ts'

const HOUR_MS = 3_600_000

export interface SpendLimit {
  /** Model calls within any `perMs`. 0 allows none. @default no limit */
  readonly callsMax?: number
  /** Tokens, in and out, within any `perMs`. @default no limit */
  readonly tokensMax?: number
  /** @default an hour */
  readonly perMs?: number
}

/** A call that was allowed. Its tokens are an upper bound until it is settled. */
export interface Expense {
  readonly at: number
  tokens: number
}

/**
 * What models may cost. A call takes what it could cost at most before it begins, so that calls at the same time cannot
 * pass the limit together, and settles to what it did cost. One that is left behind is never settled and stays at that
 * bound: providers charge for answers nobody waited for.
 *
 * It is kept in memory: another process, and this one when it starts again, begins at nothing.
 */
export class Spend {
  readonly #limit: Required<SpendLimit>
  readonly #clock: Clock
  #expenses: Expense[] = []

  constructor(limit: SpendLimit, clock: Clock) {
    this.#limit = { callsMax: Infinity, tokensMax: Infinity, perMs: HOUR_MS, ...limit }
    this.#clock = clock
    for (const [name, value] of Object.entries(this.#limit)) {
      if (typeof value !== 'number' || !(value >= 0))
        refuse('limit what models may cost', name, value, 'a number of at least 0')
    }
  }

  /** `undefined` if the limit would be passed; nothing is taken then. */
  take(tokens: number): Expense | undefined {
    const now = this.#clock.now()
    this.#expenses = this.#expenses.filter(({ at }) => at > now - this.#limit.perMs)
    const spent = this.#expenses.reduce((sum, expense) => sum + expense.tokens, 0)
    if (this.#expenses.length + 1 > this.#limit.callsMax || spent + tokens > this.#limit.tokensMax) return undefined
    const expense = { at: now, tokens }
    this.#expenses.push(expense)
    return expense
  }

  /** Whether a call could be allowed at some other time. */
  couldTake(tokens: number): boolean {
    return this.#limit.callsMax >= 1 && tokens <= this.#limit.tokensMax
  }

  settle(expense: Expense, tokens: number): void {
    expense.tokens = tokens
  }
}
