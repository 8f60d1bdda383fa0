import type { Scope } from '../../api/scope.ts'
import { MemoryError } from '../../domain/error.ts'

/** Destroys a session with all its messages, if there is one. */
export async function forgetSession(scope: Scope, session: string): Promise<void> {
  try {
    await scope.forget({ session })
  } catch (error) {
    if (!MemoryError.is(error, 'log/not-found')) throw error
  }
}
