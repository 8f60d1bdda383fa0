import type { JSONObject, JSONValue } from '../../domain/json.ts'

export function isObject(value: unknown): value is JSONObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isArray(value: unknown): value is readonly JSONValue[] {
  return Array.isArray(value)
}

export function objectOf(value: unknown): JSONObject | undefined {
  return isObject(value) ? value : undefined
}

export function arrayOf(value: unknown): readonly JSONValue[] {
  return isArray(value) ? value : []
}

export function stringOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** The value under a key of something that may be anything. */
export function field(value: unknown, key: string): JSONValue | undefined {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
}

export function omitKeys(value: JSONObject, keys: readonly string[]): JSONObject {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key)))
}

export function isEmpty(value: JSONObject): boolean {
  return Object.keys(value).length === 0
}

/** JSON text of anything: nesting deeper than the engine's stack is named instead of thrown. */
export function toJSON(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null'
  } catch {
    return '"[value that has no JSON form]"'
  }
}

/** What a thing is, for error messages. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object') return `an object with keys ${Object.keys(value).slice(0, 5).join(', ') || '(none)'}`
  return value === undefined ? 'undefined' : `a ${typeof value}`
}
