import { MemoryError } from '../domain/error.ts'
import type { ForgettingWiring } from './wiring.ts'

/**
 * Has what stays of encrypted sessions of a scope encrypted with new keys, and the old ones destroyed. Forgetting that meets here
 * shares the work: whoever is first does it for all. Answers with what stands in the way of some, damage as a rule; the job of
 * whose it is says so, and the others are done.
 */
export async function renewKeys({ reseal, queues }: ForgettingWiring, scope: string): Promise<MemoryError | undefined> {
  if (reseal === undefined) return undefined
  try {
    await queues.run(JSON.stringify(['keys', scope]), () => reseal(scope))
    return undefined
  } catch (error) {
    if (MemoryError.is(error, 'store/corrupt') || MemoryError.is(error, 'store/busy')) return error
    throw error
  }
}

/** Whether a forgetting still waits for new keys. */
export async function waitsForKeys({ store }: ForgettingWiring, id: string): Promise<boolean> {
  return (await store.erasure.unfinished()).some((row) => row.id === id && row.stage === 'keys')
}
