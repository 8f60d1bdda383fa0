import { MemoryError } from './error.ts'
import { redactAddresses } from './redact-addresses.ts'

const QUOTED_CHARACTERS_MAX = 80
/** More of a value is not looked at for passwords, nor shown. */
const LOOKED_AT_CHARACTERS_MAX = 2_000

/** A value as it may stand in an error message: recognisable, on one line, never a megabyte. */
export function quote(value: unknown): string {
  const whole = typeof value === 'string' ? JSON.stringify(value) : describe(value)
  // Before it is cut to size: half of an address would not be recognised.
  const text = redactAddresses(whole.slice(0, LOOKED_AT_CHARACTERS_MAX))
  return text.length <= QUOTED_CHARACTERS_MAX ? text : `${text.slice(0, QUOTED_CHARACTERS_MAX)}…`
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return `an array of ${value.length}`
  if (value instanceof Date)
    return Number.isNaN(value.getTime()) ? 'an invalid Date' : `the Date ${value.toISOString()}`
  if (typeof value === 'object' && value !== null)
    return `an object with ${Object.keys(value).slice(0, 4).join(', ') || 'no keys'}`
  return typeof value === 'function' ? 'a function' : String(value)
}

/** Ends a call with the caller's mistake: what was attempted, what was found, what was wanted. */
export function refuse(attempt: string, option: string, received: unknown, wanted: string): never {
  throw new MemoryError('input/invalid', `Cannot ${attempt}: ${option} is ${quote(received)}, expected ${wanted}`, {
    option,
    received,
    expected: wanted,
  })
}
