import { MemoryError } from '../../domain/error.ts'

/** A session was not as this process left it, and nothing was written. Callers never see it: what they asked for is decided again. */
export function notHeld(): MemoryError {
  return new MemoryError('store/busy', 'Cannot write: another process wrote to the session meanwhile', { held: false })
}

export function isNotHeld(error: unknown): boolean {
  return MemoryError.is(error, 'store/busy') && error.details['held'] === false
}
