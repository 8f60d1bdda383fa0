import type { JSONObject, JSONValue } from '../../domain/json.ts'
import type { ToolOutput } from '../../domain/part.ts'
import { clip } from './excerpt.ts'

/** Longer lists are shown as what their elements are and how many. */
const LIST_MAX = 3
const KEYS_MAX = 8
const DEPTH_MAX = 4
const STRING_CHARACTERS_MAX = 80
/** Longer texts are not looked at as JSON. */
const TEXT_CHARACTERS_MAX = 1_000_000

/** A JSON value in few words: `[{ id, name, … } × 40]`, `{ total: 3, items: […] }`. */
export function jsonShape(value: JSONValue, depth = 0): string {
  if (typeof value === 'string') return JSON.stringify(clip(value, STRING_CHARACTERS_MAX))
  if (typeof value !== 'object' || value === null) return String(value)
  if (depth >= DEPTH_MAX) return Array.isArray(value) ? '[…]' : '{…}'
  if (Array.isArray(value)) {
    const items = value as readonly JSONValue[]
    if (items.length <= LIST_MAX) return `[${items.map((item) => jsonShape(item, depth + 1)).join(', ')}]`
    return `[${elementShape(items)} × ${items.length}]`
  }
  const entries = Object.entries(value as JSONObject)
  const shown = entries.slice(0, KEYS_MAX).map(([key, field]) => `${key}: ${jsonShape(field as JSONValue, depth + 1)}`)
  return shown.length === 0 ? '{}' : `{ ${[...shown, ...(entries.length > KEYS_MAX ? ['…'] : [])].join(', ')} }`
}

/** What a tool returned in few words, if it is JSON. */
export function outputShape(output: ToolOutput): string | undefined {
  if (output.type === 'parts') return undefined
  const value = output.type === 'json' ? output.value : jsonIn(output.text)
  return value === undefined ? undefined : jsonShape(value)
}

/** The JSON value that a text is: an object or a list. */
export function jsonIn(text: string): JSONValue | undefined {
  const first = text.trimStart()[0]
  if ((first !== '{' && first !== '[') || text.length > TEXT_CHARACTERS_MAX) return undefined
  try {
    return JSON.parse(text) as JSONValue
  } catch {
    return undefined
  }
}

/** What the elements of a list are: the keys that the first of them has, or their type. */
function elementShape(items: readonly JSONValue[]): string {
  const [first] = items
  if (typeof first !== 'object' || first === null) return typeof first
  if (Array.isArray(first)) return '[…]'
  const keys = Object.keys(first)
  return `{ ${[...keys.slice(0, KEYS_MAX), ...(keys.length > KEYS_MAX ? ['…'] : [])].join(', ')} }`
}
