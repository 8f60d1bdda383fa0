import { errorStatus } from './error-status.ts'
/** Requests that a server did not take for reasons of its own: time-out, conflict, too early. */
const PASSING: readonly number[] = [408, 409, 425]

/**
 * Whether asking again at once could help. Not when the provider says that the request is wrong, unpaid or forbidden (4xx),
 * nor when it says to wait (429): this code never waits. Errors without a status are those of the network.
 */
export function isWorthRepeating(error: unknown): boolean {
  try {
    if (typeof error !== 'object' || error === null) return true
    if ('isRetryable' in error && error.isRetryable === false) return false
    const status = errorStatus(error)
    return status === undefined || status < 400 || status >= 500 || PASSING.includes(status)
  } catch {
    return false
  }
}

/**
 * Whether asking again later could help: the network failed, the server did, or it said to wait (429). Not when it says that
 * the request is wrong, unpaid or forbidden.
 */
export function isPassing(error: unknown): boolean {
  try {
    if (typeof error !== 'object' || error === null) return true
    const status = errorStatus(error)
    return status === undefined || status < 400 || status >= 500 || status === 429 || PASSING.includes(status)
  } catch {
    return false
  }
}

/** An error's status, or else its name: nothing that was asked or answered. */
export function errorKind(error: unknown): string {
  try {
    const status = errorStatus(error)
    return status === undefined ? (error instanceof Error ? error.name.slice(0, 60) : typeof error) : `status ${status}`
  } catch {
    return 'an error that cannot be read'
  }
}
