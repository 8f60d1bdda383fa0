import { MemoryError } from '../domain/error.ts'

const NOT_FOUND = ['knowledge/not-found', 'log/not-found', 'state/not-found'] as const

/** `undefined` where the library says so and the server says 404. */
export async function orUndefined<Found>(found: Promise<Found>): Promise<Found | undefined> {
  try {
    return await found
  } catch (error) {
    if (NOT_FOUND.some((code) => MemoryError.is(error, code))) return undefined
    throw error
  }
}
