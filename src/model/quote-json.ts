import type { JSONObject } from '../domain/json.ts'
import { unicodeEscape } from '../domain/unicode-escape.ts'

/** JSON on one line in which no stored text can pass for anything else. */
export function quoteJSON(value: JSONObject | readonly string[]): string {
  return JSON.stringify(value).replaceAll(/[<\u007F-\u009F\u2028\u2029]/g, unicodeEscape)
}
