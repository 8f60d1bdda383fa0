import { checkOptions } from '../domain/check-options.ts'
import { refuse } from '../domain/refuse.ts'
import { canBeSent } from '../shape/json-schema.ts'
import type { AnyShape, Field, Fields } from '../shape/shape.ts'
import type { Operation } from './operation.ts'

/** The names in a path, in order. */
export function pathNames(path: string): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
}

/** Every field that a request of this operation may have, names of the path left out. */
export function requestFields({ path, takes = {}, options, spreads, sends = {} }: Operation): Fields {
  const names = pathNames(path)
  const spread = spreads === undefined ? undefined : takes[spreads]
  const own = Object.entries(takes).filter(([name]) => !names.includes(name) && name !== spreads)
  const fields = {
    ...Object.fromEntries(own),
    ...(spread === undefined ? {} : fieldsIn(spread.shape)),
    ...(options === undefined ? {} : fieldsIn(options)),
    ...sends,
  }
  return Object.fromEntries(Object.entries(fields).filter(([, { shape }]) => canBeSent(shape)))
}

/** The fields of an object, or of all objects that a value may be. Those are optional: none of them is in each. */
export function fieldsIn({ form }: AnyShape): Fields {
  if (form.kind === 'object') return form.fields
  if (form.kind !== 'either') return {}
  const all = form.options.flatMap((option) => Object.entries(fieldsIn(option)))
  return Object.fromEntries(all.map(([name, field]) => [name, { ...field, optional: true }]))
}

/** Whether the fields of a request are in its query. Otherwise they are in its body. */
export function hasQuery({ method, streams }: Pick<Operation, 'method' | 'streams'>): boolean {
  return method === 'get' || method === 'delete' || (streams !== undefined && 'in' in streams)
}

/** The query parameters that are text as it is. All others are JSON, so that `5` and `"5"` differ. */
export function textParameters(operation: Operation): readonly string[] {
  if (!hasQuery(operation)) return []
  let names = textNames.get(operation)
  if (names === undefined) {
    const fields = Object.entries(requestFields(operation))
    textNames.set(operation, (names = fields.flatMap(([name, { shape }]) => (isText(shape) ? [name] : []))))
  }
  return names
}

/** Found once for each operation: requests come often. */
const textNames = new WeakMap<Operation, readonly string[]>()

function isText({ form }: AnyShape): boolean {
  if (form.kind === 'one-of') return form.values.every((value) => typeof value === 'string')
  return form.kind === 'text' || form.kind === 'time'
}

type Values = Readonly<Record<string, unknown>>

/** What a request has, as the arguments of the call and the fields that only a request has. */
export function argumentsFrom(
  operation: Operation,
  fields: Values,
  names: Values,
): { readonly given: readonly unknown[]; readonly sent: Values } {
  const { attempt, options, spreads } = operation
  const { inPath, takes, sends, local } = partsOfRequest(operation)
  const rest = new Map(Object.entries(fields))
  const take = (name: string): unknown => {
    const value = rest.get(name)
    rest.delete(name)
    return value
  }
  const sent = Object.fromEntries(sends.flatMap((name) => (rest.has(name) ? [[name, take(name)]] : [])))
  const given = takes.map(([name, { shape }]) => {
    if (inPath.includes(name)) return names[name]
    if (name !== spreads) return take(name)
    const own = Object.keys(fieldsIn(shape)).filter((key) => rest.has(key))
    return Object.fromEntries(own.map((key) => [key, take(key)]))
  })
  // What is for the library alone is unknown here; all other names are left to the library.
  for (const name of rest.keys())
    if (options === undefined || local.includes(name))
      checkOptions(attempt, { [name]: undefined }, Object.keys(requestFields(operation)), 'field')
  if (options === undefined) return { given, sent }
  return { given: [...given, Object.fromEntries(rest)], sent }
}

/** What requests of an operation have in common. */
interface RequestParts {
  readonly inPath: readonly string[]
  readonly takes: readonly (readonly [string, Field])[]
  readonly sends: readonly string[]
  /** Options that only the library has. */
  readonly local: readonly string[]
}

/** Found once for each operation: requests come often. */
const requestParts = new WeakMap<Operation, RequestParts>()

function partsOfRequest(operation: Operation): RequestParts {
  let parts = requestParts.get(operation)
  if (parts === undefined) {
    const { path, takes = {}, options, sends = {} } = operation
    const fields = Object.entries(options === undefined ? {} : fieldsIn(options))
    const local = fields.flatMap(([name, { shape }]) => (canBeSent(shape) ? [] : [name]))
    parts = { inPath: pathNames(path), takes: Object.entries(takes), sends: Object.keys(sends), local }
    requestParts.set(operation, parts)
  }
  return parts
}

/** The arguments of a call as a request has them: the names of its path, and its fields. */
export function requestFrom(
  operation: Operation,
  given: readonly unknown[],
): { readonly names: Readonly<Record<string, string>>; readonly fields: Values } {
  const { attempt, path, takes = {}, options, spreads } = operation
  const inPath = pathNames(path)
  const names: Record<string, string> = {}
  const fields: Record<string, unknown> = {}
  for (const [index, name] of Object.keys(takes).entries()) {
    const value = given[index]
    if (inPath.includes(name)) names[name] = value as string
    else if (name === spreads) Object.assign(fields, objectOf(attempt, name, value))
    else fields[name] = value
  }
  const last = given[Object.keys(takes).length]
  if (options !== undefined && last !== undefined)
    for (const [name, value] of Object.entries(objectOf(attempt, 'options', last)))
      if (canBeSent(fieldsIn(options)[name]?.shape ?? options)) fields[name] = value
  return { names, fields }
}

function objectOf(attempt: string, name: string, value: unknown): object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) refuse(attempt, name, value, 'an object')
  return value
}
