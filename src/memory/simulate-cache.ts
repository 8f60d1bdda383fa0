import type { Policy } from '../context/compaction/policy.ts'
import type { Pins } from '../context/window/pins.ts'
import type { Session } from './session.ts'

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

/**
 * Replays a session call by call under each policy and says how much of each context the provider's cache would have had.
 * A copy in memory is replayed with the contexts and compactions that the session itself would get; the session stays as it
 * is. What was removed from it is not replayed.
 *
 * @throws {MemoryError} `context/over-budget` if at some call the budget does not hold what must be there.
 */
export async function simulateCache(
  session: Session,
  policies: readonly (string | Policy)[],
  prices: CachePrices,
  options: SimulateCacheOptions = {},
): Promise<readonly CacheSimulation[]> {
  // Loaded when it is wanted: it needs all that contexts need.
  return (await import('./replay-session.ts')).replaySession(session, policies, prices, options)
}
