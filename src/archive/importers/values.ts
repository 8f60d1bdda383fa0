import { createHash } from 'node:crypto'
import { isArray, stringOf } from '../../dialects/canonical/json.ts'
import { checkId } from '../../domain/names.ts'

/** Before it, a number of seconds since 1970 is the plausible reading; after it, one of milliseconds. */
const SECONDS_BEFORE = 1e11

/** A time as exports write it: ISO 8601, or seconds or milliseconds since 1970. */
export function timeOf(value: unknown): string | undefined {
  const time =
    typeof value === 'number'
      ? value * (Math.abs(value) < SECONDS_BEFORE ? 1000 : 1)
      : typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value)
        ? Date.parse(/[zZ]|[+-]\d\d:?\d\d$/.test(value.slice(10)) ? value : withZone(value))
        : Number.NaN
  return Number.isFinite(time) && Math.abs(time) <= 8.64e15 ? new Date(Math.trunc(time)).toISOString() : undefined
}

/** Python writes times without a zone, and means UTC. */
function withZone(value: string): string {
  return value.length > 10 ? `${value.replace(' ', 'T')}Z` : value
}

/** An id as the log takes it: the one that was found, or a name made of it. */
export function idOf(value: string): string {
  try {
    checkId('import', 'id', value)
    return value
  } catch {
    return `id-${digest(value)}`
  }
}

export function digest(value: string): string {
  return createHash('sha256').update(value).digest('hex').slice(0, 32)
}

/** A string that says something. */
export function filled(value: unknown): string | undefined {
  const text = stringOf(value)
  return text === undefined || text === '' ? undefined : text
}

export function strings(value: unknown): readonly string[] {
  return isArray(value) ? value.filter((item) => typeof item === 'string') : []
}
