import type { CachePrices, CacheSimulation, SimulateCacheOptions } from '../api/cache.ts'
import type { Policy, PolicyName } from '../api/policy.ts'
import type { Session } from '../api/session.ts'

/**
 * Replays a session call by call under each policy and says how much of each context the provider's cache would have had.
 * A copy in memory is replayed with the contexts and compactions that the session itself would get; the session stays as it
 * is. What was removed from it is not replayed.
 *
 * @throws {MemoryError} `context/over-budget` if at some call the budget does not hold what must be there.
 */
export async function simulateCache(
  session: Session,
  policies: readonly (PolicyName | Policy)[],
  prices: CachePrices,
  options: SimulateCacheOptions = {},
): Promise<readonly CacheSimulation[]> {
  // Loaded at its first use: it needs everything that contexts need.
  return (await import('./context-calls.ts')).replayPolicies(session, policies, prices, options)
}
