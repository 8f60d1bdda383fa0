/** What embedding may cost: taken before a call, settled to what it did cost. */
export interface EmbedSpend<Expense = unknown> {
  /** `undefined` if the limit would be passed. */
  take(tokens: number): Expense | undefined
  settle(expense: Expense, tokens: number): void
}

/** How an embedder is asked. */
export interface EmbedSettings {
  /** For each call. */
  readonly deadlineMs: number
  /** How often the same texts are asked for at most. */
  readonly attemptsMax: number
  readonly signal: AbortSignal
  readonly spend: EmbedSpend
  readonly countTokens: (text: string) => number
  /** From 0 to 1: so that many who wait do not all come back at once. */
  readonly random: () => number
  /** Ends early, and without an error, when aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
}
