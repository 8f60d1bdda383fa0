import { createHash } from 'node:crypto'
import type { FactObject } from '../domain/fact.ts'
import type { JSONValue } from '../domain/json.ts'
import { normalForm } from '../domain/normal-form.ts'

/** Short enough for an index of any database, four bytes a character included. */
const PLAIN_CHARACTERS_MAX = 200

/** What a name is looked up by: its normal form, or its hash where that is long or not every database can hold it. */
export function nameKey(name: string): string {
  return textKey(normalForm(name))
}

/** Equal for objects that say the same. A text and an entity with this name do: only the graph tells them apart. */
export function objectKey(object: FactObject, entity?: string): string {
  if (typeof object === 'string') return `t${nameKey(object)}`
  if (typeof object === 'number') return `n${object === 0 ? 0 : object}`
  if (typeof object === 'boolean') return `b${object}`
  if ('entity' in object) return `t${entity ?? nameKey(object.entity)}`
  if ('date' in object) return `d${Date.parse(object.date)}`
  return `j${textKey(canonicalJSON(object.json))}`
}

function textKey(text: string): string {
  if (text.length <= PLAIN_CHARACTERS_MAX && text.isWellFormed() && !text.includes('\0')) return `=${text}`
  return `#${createHash('sha256').update(JSON.stringify(text)).digest('hex')}`
}

/** The same text for the same value, whatever the order of its keys. */
function canonicalJSON(value: JSONValue): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map((item: JSONValue) => canonicalJSON(item)).join(',')}]`
  const entries = Object.entries(value as { readonly [key: string]: JSONValue })
  const sorted = entries.toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${sorted.map(([key, item]) => `${JSON.stringify(key)}:${canonicalJSON(item)}`).join(',')}}`
}
