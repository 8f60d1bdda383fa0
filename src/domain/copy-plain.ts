import { isPlainObject } from './check-json.ts'

/** A copy of arrays, plain objects and bytes; anything else is left for the checks to refuse. Cycles end with the stack's patience. */
export function copyPlain(value: unknown, depth = 0): unknown {
  if (depth > 100) return value
  if (Array.isArray(value)) return value.map((item) => copyPlain(item, depth + 1))
  if (value instanceof Uint8Array) return Uint8Array.prototype.slice.call(value)
  if (!isPlainObject(value)) return value
  // Entries, not assignment: a key named `__proto__` must stay a key.
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, copyPlain(item, depth + 1)]))
}
