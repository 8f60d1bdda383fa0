import type { Pins } from './contexts.ts'

/** What a provider charges for a million tokens of input, in any currency. */
export interface CachePrices {
  /** The price of input that is not cached. */
  readonly input: number
  /** The price of input that the cache had. */
  readonly cached: number
  /** The price of input that the cache did not have and now has, if that costs extra. @default the price of input */
  readonly cacheWrite?: number
}

/** What the replayed contexts are built for. */
export interface SimulateCacheOptions {
  /** The largest number of input tokens for each request. @default 128,000 */
  readonly budget?: number
  /** How many tokens of the budget to leave for tools and the reply. @default 0 */
  readonly reserve?: number
  /** The name of the model, which decides how tokens are counted. */
  readonly model?: string
  /** What must be in every context. */
  readonly pins?: Pins
}

/** What a session would have cost under one policy. */
export interface CacheSimulation {
  /** The name of the policy. */
  readonly policy: string
  /** How often the model was called: before each message of the assistant. */
  readonly calls: number
  /** Input tokens of all calls. */
  readonly inputTokens: number
  /** Input tokens of the leading messages that were equal to those of the call before. */
  readonly cachedTokens: number
  /** Cached tokens as a share of the input, from 0 to 1. */
  readonly cachedShare: number
  /** How often the window was compacted. */
  readonly compactions: number
  /** What all calls cost, in the currency of the prices. */
  readonly cost: number
}
