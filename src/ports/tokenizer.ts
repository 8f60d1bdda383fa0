/**
 * Counts the tokens of a text. Synchronous and fast: whoever has a text of unbounded size gives it in slices
 * (`countText`).
 */
export interface Tokenizer {
  /** Stored with each count, so that a count of another tokenizer is never taken for its own: `estimate-2`, `o200k_base`. */
  readonly name: string
  /** Whether `count` is what the model's own tokenizer counts, or an estimate that is meant to be a little too high. */
  readonly exact: boolean
  /** A whole number, 0 for the empty text only. Must not throw for any string and must be linear in its length. */
  count(text: string): number
}
