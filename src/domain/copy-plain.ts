import { isPlainObject } from './check-json.ts'

const OWN = { enumerable: true, writable: true, configurable: true } as const

/** A copy of arrays, plain objects and bytes; anything else is left for the checks to refuse. Cycles end with the stack's patience. */
export function copyPlain(value: unknown, depth = 0): unknown {
  if (depth > 100) return value
  if (Array.isArray(value)) return value.map((item) => copyPlain(item, depth + 1))
  if (value instanceof Uint8Array) return Uint8Array.prototype.slice.call(value)
  if (!isPlainObject(value)) return value
  const copy: Record<string, unknown> = {}
  for (const key of Object.keys(value)) {
    const item = value[key]
    const copied = typeof item === 'object' && item !== null ? copyPlain(item, depth + 1) : item
    // Assigned, a key named `__proto__` would not stay a key.
    if (key === '__proto__') Object.defineProperty(copy, key, { value: copied, ...OWN })
    else copy[key] = copied
  }
  return copy
}
