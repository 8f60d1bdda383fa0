import { MemoryError } from '../domain/error.ts'

/** `undefined` where the library says so and the server says 404. */
export async function orUndefined<Found>(found: Promise<Found>): Promise<Found | undefined> {
  try {
    return await found
  } catch (error) {
    if (MemoryError.is(error, 'knowledge/not-found') || MemoryError.is(error, 'log/not-found')) return undefined
    throw error
  }
}
