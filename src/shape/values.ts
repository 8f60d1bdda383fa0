import { defined } from '../domain/defined.ts'
import { checkJSON, checkJSONObject } from '../domain/check-json.ts'
import type { JSONObject, JSONValue } from '../domain/json.ts'
import { type Moment, checkMoment, parseTime } from '../domain/moment.ts'
import { checkId, checkScope } from '../domain/names.ts'
import { nearest } from '../domain/check-options.ts'
import { quote, refuse } from '../domain/refuse.ts'
import type { Check, Form, Meanings, Shape } from './shape.ts'

/** A shape whose check is one test of the value. */
function value<T>(form: Form, wanted: string, accepts: (given: unknown) => boolean): Shape<T> {
  return {
    form,
    wanted,
    check: (attempt, path, given) => {
      if (!accepts(given)) refuse(attempt, path, given, wanted)
    },
  }
}

/** A shape with a check of its own, for values that the domain has rules for. */
export function checkedBy<T>(form: Form, wanted: string, check: Check): Shape<T> {
  return { form, wanted, check }
}

/** Any string, the empty one too. */
export const aText: Shape<string> = value({ kind: 'text' }, 'a string', (given) => typeof given === 'string')

/** A string of so many characters. */
export function aTextOf(min: number, max: number): Shape<string> {
  return value(
    { kind: 'text', min, max },
    `a text of ${min} to ${max} characters`,
    (given) => typeof given === 'string' && given.length >= min && given.length <= max,
  )
}

/** A string with at least one character. */
export const someText: Shape<string> = value(
  { kind: 'text', min: 1 },
  'a non-empty string',
  (given) => typeof given === 'string' && given !== '',
)

/** The id of a session, a message or an operation. */
export const anId: Shape<string> = checkedBy({ kind: 'text', min: 1, max: 512 }, 'a string', checkId)

/** The path of a scope. */
export const aScope: Shape<string> = checkedBy({ kind: 'text', min: 1, max: 512 }, 'a scope', (attempt, _path, given) =>
  checkScope(attempt, given),
)

/** A whole number of at least so much. */
export function aWholeNumberFrom(min: number, wanted: string): Shape<number> {
  return value(
    { kind: 'number', whole: true, min },
    wanted,
    (given) => Number.isSafeInteger(given) && Number(given) >= min,
  )
}

/** How many things to return. */
export const aCount: Shape<number> = aWholeNumberFrom(1, 'a positive whole number')

/** How many things, with an upper limit. */
export function aCountUpTo(max: number): Shape<number> {
  return value(
    { kind: 'number', whole: true, min: 1, max },
    `a whole number from 1 to ${max}`,
    (given) => Number.isSafeInteger(given) && Number(given) >= 1 && Number(given) <= max,
  )
}

/** A whole number that may be zero. */
export const aWholeNumber: Shape<number> = aWholeNumberFrom(0, 'a whole number, 0 or greater')

/** A position in the log of a session. */
export const aPosition: Shape<number> = aWholeNumberFrom(0, 'a sequence number: a whole number, 0 or greater')

/** A number that may have a fraction. */
export function aNumber(
  bounds: { min?: number; max?: number; above?: number } = {},
  wanted = 'a number',
): Shape<number> {
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY, above = Number.NEGATIVE_INFINITY } = bounds
  return value(
    { kind: 'number', whole: false, ...bounds },
    wanted,
    (given) => typeof given === 'number' && given >= min && given <= max && given > above,
  )
}

export const aFlag: Shape<boolean> = value({ kind: 'flag' }, 'true or false', (given) => typeof given === 'boolean')

/** A field that is named to choose it. */
export const onlyTrue: Shape<true> = value({ kind: 'flag' }, 'true', (given) => given === true)

/** The value null. */
export const aNull: Shape<null> = value({ kind: 'null' }, 'null', (given) => given === null)

/** One of several values. A misspelt one is recognised. */
export function oneOf<const T extends string | number | boolean>(
  values: readonly T[],
  settings: { wanted?: string; meanings?: Meanings & Readonly<Record<T & string, string>> } = {},
): Shape<T> {
  const { wanted = values.join(', '), meanings } = settings
  const known: ReadonlySet<unknown> = new Set(values)
  return {
    form: { kind: 'one-of', values, ...defined({ meanings }) },
    wanted,
    check: (attempt, path, given) => {
      if (known.has(given)) return
      const meant = typeof given === 'string' ? nearest(given, values.map(String)) : undefined
      refuse(attempt, path, given, meant === undefined ? wanted : `${wanted}, did you mean ${quote(meant)}?`)
    },
  }
}

/** A time: a `Date`, or an ISO 8601 string with its offset. Milliseconds are accepted too. */
export const aTime: Shape<Date | string> = checkedBy(
  { kind: 'time' },
  'a Date, an ISO 8601 string with Z or an offset, or milliseconds since 1970',
  parseTime,
)

/** A time that may be given in milliseconds since 1970. */
export const aTimeOrNumber: Shape<Date | string | number> = checkedBy(aTime.form, aTime.wanted, aTime.check)

/** A time as it is returned: always an ISO 8601 string. */
export const anIsoTime: Shape<string> = value(
  { kind: 'text', format: 'date-time' },
  'an ISO 8601 time',
  (given) => typeof given === 'string' && !Number.isNaN(Date.parse(given)),
)

/** A time, or the exact version of a log. */
export const aMoment: Shape<Moment> = checkedBy(
  { kind: 'moment' },
  'a Date, an ISO 8601 string or { version }',
  checkMoment,
)

/** Anything that JSON can hold. */
export const aJson: Shape<JSONValue> = checkedBy({ kind: 'json' }, 'a JSON value', checkJSON)

export const aJsonObject: Shape<JSONObject> = checkedBy({ kind: 'map', item: aJson }, 'a JSON object', checkJSONObject)

/** An instance of a class: it stays in the program and is not sent. */
export function anInstance<T>(type: abstract new () => T, wanted: string): Shape<T> {
  return value({ kind: 'local' }, wanted, (given) => given instanceof type)
}

/** A value that is for the library alone: requests, tools and the command line do not have it. */
export function notSent<T>({ wanted, check }: Shape<T>): Shape<T> {
  return { form: { kind: 'local' }, wanted, check }
}

/** A function that the library calls: it stays in the program. */
export function aCallback<T>(): Shape<T> {
  return value({ kind: 'local' }, 'a function', (given) => typeof given === 'function')
}

/** A value of the program that is checked where it is used, such as a model. */
export function unchecked<T>(wanted: string): Shape<T> {
  return { form: { kind: 'local' }, wanted, check: () => undefined }
}
