import { errorStatus } from '../../model/error-status.ts'
import type { Embedded } from './embed-texts.ts'

const TEXT_CHARACTERS_MAX = 300
/** The provider read the request and does not want it: too long, empty, not allowed. */
const OF_THE_TEXT: readonly number[] = [400, 413, 422]
/** Requests that a server did not take for reasons of its own: time-out, conflict, too early, too many. */
const PASSING: readonly number[] = [408, 409, 425, 429]

/** What an embedder's own error means for the next attempt. Somebody else's code: its getters may throw too. */
export function faultOfError(error: unknown): Embedded {
  try {
    const detail = describe(error)
    const status = errorStatus(error)
    if (status === undefined || status < 400 || status >= 500 || PASSING.includes(status))
      return { ok: false, reason: 'failed', detail }
    // Asking the same again gets the same; asking for other texts may not.
    return { ok: false, reason: OF_THE_TEXT.includes(status) ? 'refused' : 'failed', detail, final: true }
  } catch {
    return { ok: false, reason: 'failed', detail: 'an error that cannot be read' }
  }
}

function describe(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return text
    .slice(0, TEXT_CHARACTERS_MAX)
    .toWellFormed()
    .replaceAll(/\p{Cc}+/gu, ' ')
}
