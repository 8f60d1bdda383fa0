import { refuse } from './refuse.ts'

/** A point in a session's life: a time, or the exact version of its log. */
export type Moment = Date | string | { readonly version: number }

/** Milliseconds since 1970 of a time given as a Date, an ISO 8601 string or milliseconds. */
export function parseTime(attempt: string, option: string, value: unknown): number {
  const time = value instanceof Date ? value.getTime() : typeof value === 'string' ? Date.parse(value) : value
  if (typeof time !== 'number' || !Number.isFinite(time) || Math.abs(time) > 8.64e15) {
    refuse(attempt, option, value, 'a Date, an ISO 8601 string or milliseconds since 1970')
  }
  return Math.trunc(time)
}
