import { MemoryError } from '../domain/error.ts'
import type { ForgettingParts } from './parts.ts'

/**
 * Has what stays of encrypted sessions of a scope encrypted with new keys, and the old ones destroyed. Forgetting that meets here
 * shares the work: whoever is first does it for all.
 */
export function renewKeys({ reseal, turns }: ForgettingParts, scope: string): Promise<void> {
  return reseal === undefined ? Promise.resolve() : turns.take(JSON.stringify(['keys', scope]), () => reseal(scope))
}

/** The same for one forgetting; answers whether nothing of it waits for that any more. */
export async function renewKeysOf(
  parts: ForgettingParts,
  { id, scope }: { readonly id: string; readonly scope: string },
): Promise<boolean> {
  try {
    await renewKeys(parts, scope)
  } catch (error) {
    // What was asked for is gone from the memory. What is in the way of the rest, the job says that tries again.
    if (!MemoryError.is(error, 'store/corrupt') && !MemoryError.is(error, 'store/busy')) throw error
  }
  return !(await parts.store.erasure.unfinished()).some((row) => row.id === id && row.stage === 'keys')
}
