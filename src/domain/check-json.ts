import type { JSONObject } from './json.ts'
import { refuse } from './refuse.ts'

/** Deeper than any honest document; shallow enough that no recursion here or in a reader runs out of stack. */
const DEPTH_MAX = 64

/** Accepts only what JSON gives back unchanged. Cyclic values end at the depth limit; `undefined` in an object counts as absent. */
export function checkJSON(attempt: string, path: string, value: unknown): void {
  // A path for each of a hundred thousand fields takes longer than to look at them: it is made where one is refused.
  if (!isJSON(value, 0)) refuseWithin(attempt, path, value, 0)
}

function isJSON(value: unknown, depth: number): boolean {
  if (depth > DEPTH_MAX) return false
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true
  if (typeof value === 'number') return Number.isFinite(value)
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) if (!isJSON(value[index], depth + 1)) return false
    return true
  }
  if (!isPlainObject(value)) return false
  return Object.values(value).every((item) => item === undefined || isJSON(item, depth + 1))
}

function refuseWithin(attempt: string, path: string, value: unknown, depth: number): void {
  if (depth > DEPTH_MAX) refuse(attempt, path, value, `at most ${DEPTH_MAX} levels`)
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) refuse(attempt, path, value, 'a finite number')
    return
  }
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++)
      refuseWithin(attempt, `${path}[${index}]`, value[index], depth + 1)
    return
  }
  if (!isPlainObject(value)) refuse(attempt, path, value, 'a JSON value')
  for (const [key, item] of Object.entries(value)) {
    if (item !== undefined) refuseWithin(attempt, `${path}.${key}`, item, depth + 1)
  }
}

export function checkJSONObject(attempt: string, path: string, value: unknown): asserts value is JSONObject {
  if (!isPlainObject(value)) refuse(attempt, path, value, 'a JSON object')
  checkJSON(attempt, path, value)
}

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
