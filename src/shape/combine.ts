import { isPlainObject } from '../domain/check-json.ts'
import { nearest } from '../domain/check-options.ts'
import { quote, refuse } from '../domain/refuse.ts'
import type { AnyShape, Shape, TypeOf } from './shape.ts'
import { aNull } from './values.ts'

interface ListSettings {
  readonly wanted?: string
  readonly min?: number
  readonly max?: number
}

/** An array of values of one shape. A shape that contains itself is given as a function. */
export function aListOf<T>(item: Shape<T> | (() => Shape<T>), settings: ListSettings = {}): Shape<readonly T[]> {
  const { min = 0, max = Number.POSITIVE_INFINITY, wanted = 'an array', ...rest } = settings
  const itemOf = typeof item === 'function' ? item : () => item
  return {
    form: { kind: 'list', item: itemOf, ...rest, ...(min > 0 ? { min } : {}), ...(max < Infinity ? { max } : {}) },
    wanted,
    check: (attempt, path, value) => {
      if (!Array.isArray(value) || value.length < min || value.length > max) refuse(attempt, path, value, wanted)
      const { check } = itemOf()
      for (let index = 0; index < value.length; index++) check(attempt, `${path}[${index}]`, value[index])
    },
  }
}

/**
 * A value that is described here and checked by whatever reads it, such as a message, whose parser refuses what is wrong with
 * it. A test compares both.
 */
export function parsed<T>({ form, wanted }: Shape<T>): Shape<T> {
  return { form, wanted, check: () => undefined }
}

/** A shape with one more rule, about several fields at once. The rule sees only values of the shape. */
export function withRule<T>(shape: Shape<T>, rule: (attempt: string, path: string, value: T) => void): Shape<T> {
  return {
    ...shape,
    check: (attempt, path, value) => {
      shape.check(attempt, path, value)
      rule(attempt, path, value as T)
    },
  }
}

/** The name of a field in an error: `batch.session`, or `session` in the options of a call. */
export function fieldPath(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}

interface EitherSettings {
  /** The name of its type and of its component in the OpenAPI document. */
  readonly name?: string
  /** What the error says when no option fits. @default what the options want, with "or" */
  readonly wanted?: string
  /** What the error calls it where it is the whole of the options. @default 'options' */
  readonly called?: string
}

/**
 * A value of one of several shapes. The kind of the value decides which one checks it, so that the error is about the field
 * that is wrong and not about all shapes at once. Of several objects, their literal fields decide (`type: 'text'`), or else
 * which of them has all its required fields.
 */
export function either<const S extends readonly AnyShape[]>(
  options: S,
  settings: EitherSettings = {},
): Shape<TypeOf<S[number]>> {
  const { name, wanted = options.map((option) => option.wanted).join(' or '), called = 'options' } = settings
  return {
    form: { kind: 'either', name, options },
    wanted,
    check: (attempt, path, value) => {
      const fitting = options.filter((option) => fits(option, value))
      if (fitting.length === 1) fitting[0]?.check(attempt, path, value)
      else if (fitting.length === 0)
        refuse(attempt, path === '' ? called : path, value, withNearest(wanted, options, value))
      else choose(fitting, { attempt, path: path === '' ? called : path, value, wanted }).check(attempt, path, value)
    },
  }
}

/** A value of a shape, or null. */
export function orNull<T>(shape: Shape<T>): Shape<T | null> {
  return either([shape, aNull]) as Shape<T | null>
}

/** Where some options are names, a misspelt name is recognised. */
function withNearest(wanted: string, options: readonly AnyShape[], value: unknown): string {
  if (typeof value !== 'string') return wanted
  const names = options.flatMap(({ form }) => (form.kind === 'one-of' ? form.values.map(String) : []))
  const meant = nearest(value, names)
  return meant === undefined ? wanted : `${wanted}, did you mean ${quote(meant)}?`
}

interface Choice {
  readonly attempt: string
  readonly path: string
  readonly value: unknown
  readonly wanted: string
}

function choose(fitting: readonly AnyShape[], { attempt, path, value, wanted }: Choice): AnyShape {
  const objects = fitting.flatMap(objectsIn)
  if (objects.length < fitting.length) return fitting[0] as AnyShape
  const given = value as Readonly<Record<string, unknown>>
  let left = objects
  for (const tag of tagsOf(objects)) {
    const known = left.filter((option) => valuesOf(option, tag) !== undefined)
    if (known.length < left.length) continue
    const equal = known.filter((option) => valuesOf(option, tag)?.includes(given[tag] as string))
    if (equal.length === 0)
      refuse(attempt, `${path}.${tag}`, given[tag], orList(known.flatMap((option) => valuesOf(option, tag) ?? [])))
    left = equal
  }
  if (left.length === 1) return left[0] as AnyShape
  return left.find((option) => hasRequired(option, given)) ?? refuse(attempt, path, value, wanted)
}

function objectsIn(shape: AnyShape): readonly AnyShape[] {
  if (shape.form.kind === 'either') return shape.form.options.flatMap(objectsIn)
  return shape.form.kind === 'object' ? [shape] : []
}

/** Names of required fields that have fixed values. */
function tagsOf(objects: readonly AnyShape[]): ReadonlySet<string> {
  const names = objects.flatMap(({ form }) => (form.kind === 'object' ? Object.keys(form.fields) : []))
  return new Set(names.filter((name) => objects.some((option) => valuesOf(option, name) !== undefined)))
}

function valuesOf({ form }: AnyShape, name: string): readonly (string | number | boolean)[] | undefined {
  const field = form.kind === 'object' ? form.fields[name] : undefined
  return field?.shape.form.kind === 'one-of' && !field.optional ? field.shape.form.values : undefined
}

function hasRequired({ form }: AnyShape, given: object): boolean {
  if (form.kind !== 'object') return false
  return Object.entries(form.fields).every(([name, { optional }]) => optional || Object.hasOwn(given, name))
}

function orList(values: readonly (string | number | boolean)[]): string {
  const distinct = [...new Set(values)].map(String)
  const last = distinct.pop() ?? ''
  return distinct.length === 0 ? last : `${distinct.join(', ')} or ${last}`
}

/** Whether a value is of the kind that a shape is about. */
function fits({ form, check }: AnyShape, value: unknown): boolean {
  switch (form.kind) {
    case 'text':
      return typeof value === 'string'
    case 'number':
      return typeof value === 'number'
    case 'flag':
      return typeof value === 'boolean'
    case 'one-of':
      return form.values.includes(value as string)
    case 'list':
      return Array.isArray(value)
    case 'object':
    case 'map':
      return isPlainObject(value)
    case 'either':
      return form.options.some((option) => fits(option, value))
    case 'json':
      return true
    default:
      return passes(check, value)
  }
}

function passes(check: AnyShape['check'], value: unknown): boolean {
  try {
    check('', '', value)
    return true
  } catch {
    return false
  }
}
