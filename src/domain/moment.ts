import { refuse } from './refuse.ts'

/** A point in a session's life: a time, or the exact version of its log. */
export type Moment = Date | string | { readonly version: number }

/** A date alone, or with a time and its offset: anything else would mean another moment on another machine. */
const ISO = /^[+-]?\d{4,6}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}([.,]\d+)?)?(Z|[+-]\d{2}(:?\d{2})?))?$/i

/** Milliseconds since 1970 of a time given as a Date, an ISO 8601 string with its offset, or milliseconds. */
export function parseTime(attempt: string, option: string, value: unknown): number {
  const time = value instanceof Date ? value.getTime() : typeof value === 'string' ? timeOf(value) : value
  if (typeof time !== 'number' || !Number.isFinite(time) || Math.abs(time) > 8.64e15) {
    refuse(attempt, option, value, 'a Date, an ISO 8601 string with Z or an offset, or milliseconds since 1970')
  }
  return Math.trunc(time)
}

function timeOf(text: string): number | undefined {
  if (!ISO.test(text)) return undefined
  // `Date` takes 31 February for 3 March: a time would be stored that nobody gave.
  const [day = ''] = text.split(/T/i, 1)
  return new Date(day).getUTCDate() === Number(day.slice(-2)) ? Date.parse(text) : undefined
}

/** Accepts a point in a session's life, whether or not the session has one. */
export function checkMoment(attempt: string, option: string, value: unknown): asserts value is Moment {
  if (typeof value === 'object' && value !== null && 'version' in value) {
    const { version } = value
    if (!Number.isSafeInteger(version) || Number(version) < 0)
      refuse(attempt, `${option}.version`, version, 'a whole number, 0 or greater')
    return
  }
  if (typeof value === 'number') refuse(attempt, option, value, 'a Date, an ISO 8601 string or { version }')
  parseTime(attempt, option, value)
}
