import type { JSONValue } from '../domain/json.ts'

/** The object or the array that a text is; `undefined` if it is none. */
export function parseJsonObject(text: string): JSONValue | undefined {
  try {
    const value = JSON.parse(text) as JSONValue
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
