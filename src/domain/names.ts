import { refuse } from './refuse.ts'

const NAME_CHARACTERS_MAX = 512
const SCOPE_SEGMENTS_MAX = 16
// C0, DEL and C1: they cannot be seen in a listing and cut strings in C libraries.
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/

/**
 * Accepts an id that a caller chose (session, message, operation): 1 to 512 characters of well-formed Unicode without
 * control characters. Slashes, dots, colons and emoji are fine: an id is never used as a path.
 */
export function checkId(attempt: string, what: string, value: unknown): asserts value is string {
  if (typeof value !== 'string') refuse(attempt, what, value, 'a string')
  if (value.length === 0 || value.length > NAME_CHARACTERS_MAX) {
    refuse(attempt, what, value, `1 to ${NAME_CHARACTERS_MAX} characters, found ${value.length}`)
  }
  if (CONTROL.test(value)) refuse(attempt, what, value, 'no control characters')
  if (!value.isWellFormed()) refuse(attempt, what, value, 'well-formed Unicode')
}

// Zero-width and direction marks: two owners whose names look the same are one trap for their operator.
const INVISIBLE = /[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/

/**
 * Accepts a scope: a slash path such as `acme/ada`. Segments are not empty and not `.` or `..`, since a path that
 * climbs would name somebody else's memory.
 */
export function checkScope(attempt: string, value: unknown): asserts value is string {
  checkId(attempt, 'scope', value)
  const segments = value.split('/')
  if (segments.length > SCOPE_SEGMENTS_MAX) refuse(attempt, 'scope', value, `at most ${SCOPE_SEGMENTS_MAX} segments`)
  for (const segment of segments) {
    if (segment === '' || segment === '.' || segment === '..') {
      refuse(attempt, 'scope', value, 'segments that are not empty, "." or ".."')
    }
    if (segment.trim() !== segment || INVISIBLE.test(segment)) {
      refuse(attempt, 'scope', value, 'segments without invisible characters and without spaces at their ends')
    }
  }
}
