import type { Pins } from '../api/contexts.ts'

/** What a provider charges for input, for a million tokens, in any currency. */
export interface CachePrices {
  readonly input: number
  /** For tokens that its cache already had. */
  readonly cached: number
  /**
   * For tokens that its cache did not have and now has, where that costs extra.
   *
   * @default the price of input
   */
  readonly cacheWrite?: number
}

export interface SimulateCacheOptions {
  /**
   * What a context may cost in input tokens.
   *
   * @default 128,000
   */
  readonly budget?: number
  /**
   * Of the budget, for tools and the reply.
   *
   * @default 0
   */
  readonly reserve?: number
  /** The model's name: decides how tokens are counted. */
  readonly model?: string
  readonly pins?: Pins
}

/** What a session would have cost under one policy. */
export interface CacheSimulation {
  readonly policy: string
  /** How often the model was asked: before each message of the assistant. */
  readonly calls: number
  readonly inputTokens: number
  /** Of the input, the leading messages that were equal to those of the call before. */
  readonly cachedTokens: number
  /** From 0 to 1. */
  readonly cachedShare: number
  readonly compactions: number
  /** In the currency of the prices. */
  readonly cost: number
}
