import { isPlainObject } from '../domain/check-json.ts'

/** A field of a tool's input. Agents leave out, misname and mistype: what is not there is `undefined`, never an error. */
function field(input: unknown, name: string): unknown {
  return isPlainObject(input) && Object.hasOwn(input, name) ? input[name] : undefined
}

/** Texts that say something. A single text counts as a list of one: agents often forget the brackets. */
export function textFields(input: unknown, name: string): readonly string[] {
  const value = field(input, name)
  const list: readonly unknown[] = Array.isArray(value) ? value : [value]
  return list.filter((item): item is string => typeof item === 'string' && item.trim() !== '')
}

/** The text of a field; empty if it has none. */
export function textField(input: unknown, name: string): string {
  return textFields(input, name)[0] ?? ''
}

/** A whole number, 0 or greater, also written as a text. */
export function countField(input: unknown, name: string): number | undefined {
  const value = field(input, name)
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : undefined
}

/** Yes or no, also written as a text. */
export function flag(input: unknown, name: string): boolean | undefined {
  const value = field(input, name)
  if (value === true || value === 'true') return true
  return value === false || value === 'false' ? false : undefined
}
