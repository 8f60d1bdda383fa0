import type { CachePrices } from '../../../api/cache.ts'
import type { TokenBucket } from '../../../api/kept-contexts.ts'

const MILLION = 1_000_000

/** What the requests of a bucket cost under prices for a million tokens. */
export function costOf(
  { inputTokens, equalTokens }: Pick<TokenBucket, 'inputTokens' | 'equalTokens'>,
  { input, cached }: CachePrices,
): number {
  return ((inputTokens - equalTokens) * input + equalTokens * cached) / MILLION
}
