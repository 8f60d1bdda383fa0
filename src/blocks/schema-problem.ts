import { isPlainObject } from '../domain/check-json.ts'
import type { JSONObject, JSONValue } from '../domain/json.ts'
import { quote, refuse } from '../domain/refuse.ts'

const TYPES = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']

/** Keywords that say nothing about whether a value fits. */
const ANNOTATIONS = new Set(['$schema', '$id', '$comment', 'title', 'description', 'default', 'examples', 'format'])

type Rule = (expected: JSONValue, value: JSONValue, schema: JSONObject, path: string) => string | undefined

/** What each keyword demands. A keyword that is not here is refused when the schema is set, so that none is silently ignored. */
const rules: Readonly<Record<string, Rule>> = {
  type: (expected, value, _schema, path) => {
    const wanted = list(expected).map(String)
    return wanted.some((type) => isOf(type, value))
      ? undefined
      : `${path} is ${quote(value)}, expected ${wanted.join(' or ')}`
  },
  enum: (expected, value, _schema, path) =>
    list(expected).some((option) => same(option, value))
      ? undefined
      : `${path} is ${quote(value)}, expected one of ${list(expected)
          .map((option) => JSON.stringify(option))
          .join(', ')}`,
  const: (expected, value, _schema, path) =>
    same(expected, value) ? undefined : `${path} is ${quote(value)}, expected ${JSON.stringify(expected)}`,
  required: (expected, value, _schema, path) => {
    if (!isPlainObject(value)) return undefined
    const missing = list(expected).find((name) => !Object.hasOwn(value, String(name)))
    return missing === undefined ? undefined : `${path} has no ${quote(missing)}, which is required`
  },
  properties: (expected, value, _schema, path) =>
    isPlainObject(value)
      ? firstOf(Object.entries(expected as JSONObject), ([name, schema]) => {
          return Object.hasOwn(value, name) ? problem(schema, value[name] as JSONValue, `${path}.${name}`) : undefined
        })
      : undefined,
  additionalProperties: (expected, value, schema, path) => {
    if (!isPlainObject(value) || expected === true) return undefined
    const known = isPlainObject(schema['properties']) ? schema['properties'] : {}
    const others = Object.entries(value).filter(([name]) => !Object.hasOwn(known, name))
    return firstOf(others, ([name, item]) =>
      expected === false
        ? `${path} has ${quote(name)}, expected no other fields than ${Object.keys(known).join(', ')}`
        : problem(expected, item as JSONValue, `${path}.${name}`),
    )
  },
  items: (expected, value, _schema, path) =>
    Array.isArray(value)
      ? firstOf([...(value as readonly JSONValue[]).entries()], ([index, item]) =>
          problem(expected, item, `${path}[${index}]`),
        )
      : undefined,
  anyOf: (expected, value, _schema, path) => {
    const problems = list(expected).map((schema) => problem(schema, value, path))
    return problems.includes(undefined) ? undefined : problems[0]
  },
  minLength: (expected, value, _schema, path) =>
    size(typeof value === 'string' ? [...value].length : undefined, { path, min: expected, unit: 'characters' }),
  maxLength: (expected, value, _schema, path) =>
    size(typeof value === 'string' ? [...value].length : undefined, { path, max: expected, unit: 'characters' }),
  minItems: (expected, value, _schema, path) =>
    size(Array.isArray(value) ? value.length : undefined, { path, min: expected, unit: 'items' }),
  maxItems: (expected, value, _schema, path) =>
    size(Array.isArray(value) ? value.length : undefined, { path, max: expected, unit: 'items' }),
  minimum: (expected, value, _schema, path) =>
    size(typeof value === 'number' ? value : undefined, { path, min: expected, unit: '' }),
  maximum: (expected, value, _schema, path) =>
    size(typeof value === 'number' ? value : undefined, { path, max: expected, unit: '' }),
}

/** Keywords whose value is a schema, a list of schemas or an object of schemas. */
const NESTED = new Set(['properties', 'additionalProperties', 'items', 'anyOf'])

/** What is wrong with a text that should be JSON of a schema, in words; `undefined` if it fits. */
export function schemaProblem(schema: JSONObject, text: string): string | undefined {
  try {
    return problem(schema, JSON.parse(text) as JSONValue, 'the text')
  } catch {
    return `the text is ${quote(text)}, expected JSON, since the block has a schema`
  }
}

/**
 * Accepts a schema that uses only what is checked here. No regular expressions: one that is given could hold the whole process.
 *
 * @throws {MemoryError} `input/invalid`
 */
export function checkSchema(attempt: string, path: string, schema: JSONValue): void {
  if (typeof schema === 'boolean') return
  if (!isPlainObject(schema)) refuse(attempt, path, schema, 'a JSON Schema')
  for (const [keyword, value] of Object.entries(schema as JSONObject)) {
    if (ANNOTATIONS.has(keyword)) continue
    if (!Object.hasOwn(rules, keyword))
      refuse(attempt, path, keyword, `a JSON Schema with only these keywords: ${Object.keys(rules).join(', ')}`)
    checkKeyword(attempt, `${path}.${keyword}`, keyword, value)
  }
}

function checkKeyword(attempt: string, path: string, keyword: string, value: JSONValue): void {
  if (keyword === 'properties') {
    if (!isPlainObject(value)) refuse(attempt, path, value, 'an object of schemas')
    for (const [name, schema] of Object.entries(value as JSONObject)) checkSchema(attempt, `${path}.${name}`, schema)
  } else if (keyword === 'anyOf') {
    if (!Array.isArray(value) || value.length === 0) refuse(attempt, path, value, 'a list of schemas')
    for (const [index, schema] of (value as readonly JSONValue[]).entries())
      checkSchema(attempt, `${path}[${index}]`, schema)
  } else if (NESTED.has(keyword)) checkSchema(attempt, path, value)
  else if (keyword === 'type') {
    if (!list(value).every((type) => TYPES.includes(String(type)))) refuse(attempt, path, value, TYPES.join(', '))
  } else if (keyword === 'enum' || keyword === 'required') {
    if (!Array.isArray(value)) refuse(attempt, path, value, 'a list')
  } else if (keyword !== 'const' && typeof value !== 'number') refuse(attempt, path, value, 'a number')
}

function problem(schema: JSONValue, value: JSONValue, path: string): string | undefined {
  if (schema === false) return `${path} must not be there`
  if (!isPlainObject(schema)) return undefined
  const own = schema as JSONObject
  return firstOf(Object.entries(own), ([keyword, expected]) => rules[keyword]?.(expected, value, own, path))
}

function firstOf<Item>(items: readonly Item[], find: (item: Item) => string | undefined): string | undefined {
  for (const item of items) {
    const found = find(item)
    if (found !== undefined) return found
  }
  return undefined
}

interface Bound {
  readonly path: string
  readonly min?: JSONValue
  readonly max?: JSONValue
  readonly unit: string
}

function size(found: number | undefined, { path, min, max, unit }: Bound): string | undefined {
  if (found === undefined) return undefined
  const of = unit === '' ? '' : ` ${unit}`
  if (min !== undefined && found < Number(min)) return `${path} has ${found}${of}, expected at least ${Number(min)}`
  if (max !== undefined && found > Number(max)) return `${path} has ${found}${of}, expected at most ${Number(max)}`
  return undefined
}

function list(value: JSONValue): readonly JSONValue[] {
  return Array.isArray(value) ? (value as readonly JSONValue[]) : [value]
}

function isOf(type: string, value: JSONValue): boolean {
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return isPlainObject(value)
  if (type === 'integer') return Number.isInteger(value)
  return typeof value === type
}

/** Equal as JSON, whatever the order of fields. */
function same(a: JSONValue, b: JSONValue): boolean {
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => same(item as JSONValue, b[index] as JSONValue))
  if (!isPlainObject(a) || !isPlainObject(b)) return a === b
  const names = Object.keys(a)
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && same(a[name] as JSONValue, b[name] as JSONValue))
  )
}
