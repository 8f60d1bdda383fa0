import type { JSONObject, JSONValue } from '../../domain/json.ts'
import { refuse } from '../../domain/refuse.ts'
import { type OwnerKind, ownerKinds, scopeFor } from './owner.ts'

const operators = ['in', 'eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'contains', 'icontains'] as const
const ATTEMPT = 'filter memories'
const DEPTH_MAX = 16
/** Each memory is compared with all of them. */
const CONDITIONS_MAX = 2_000

/** @throws {MemoryError} `input/invalid` if it names nobody, or has what we do not know. */
export function checkFilter(filter: unknown): asserts filter is JSONObject {
  if (!isObject(filter)) refuse(ATTEMPT, 'filters', filter, 'an object such as { user_id: "ada" }')
  const conditions = countConditions(filter, 0)
  if (conditions > CONDITIONS_MAX) refuse(ATTEMPT, 'filters', conditions, `at most ${CONDITIONS_MAX} conditions`)
  if (!mentionsOwner(filter)) refuse(ATTEMPT, 'filters', filter, 'one of user_id, agent_id, app_id, run_id')
}

/** How many values a filter names. */
function countConditions(filter: unknown, depth: number): number {
  if (depth > DEPTH_MAX) refuse(ATTEMPT, 'filters', depth, `at most ${DEPTH_MAX} levels`)
  if (typeof filter !== 'object' || filter === null) return 1
  return Object.values(filter).reduce<number>((sum, one) => sum + countConditions(one, depth + 1), 0)
}

function mentionsOwner(filter: unknown): boolean {
  if (Array.isArray(filter)) return filter.some((one) => mentionsOwner(one))
  if (!isObject(filter)) return false
  return Object.entries(filter).some(([name, value]) =>
    ['AND', 'OR', 'NOT'].includes(name) ? mentionsOwner(value) : ownerKinds.some((kind) => name === `${kind}_id`),
  )
}

/** The scopes that can hold what a filter wants; nothing if any scope can. */
export function scopesWanted(base: string, filter: JSONObject): ReadonlySet<string> | undefined {
  // All of its fields hold at the same time, so the one with the fewest scopes decides.
  let fewest: ReadonlySet<string> | undefined
  for (const [name, value] of Object.entries(filter)) {
    const scopes = scopesOfField(base, name, value)
    if (scopes !== undefined && (fewest === undefined || scopes.size < fewest.size)) fewest = scopes
  }
  return fewest
}

function scopesOfField(base: string, name: string, value: JSONValue): ReadonlySet<string> | undefined {
  if (name === 'AND') return scopesWanted(base, Object.fromEntries(entriesOf(value)))
  if (name === 'OR') {
    const each = listOf(value).map((one) => (isObject(one) ? scopesWanted(base, one) : undefined))
    return each.includes(undefined) ? undefined : new Set(each.flatMap((scopes) => [...(scopes ?? [])]))
  }
  // A memory of a user may name an agent too, and is kept with the user: only a user says where to look.
  if (name !== 'user_id') return undefined
  const names = typeof value === 'string' && value !== '*' ? [value] : isObject(value) ? listOf(value['in']) : []
  const kind: OwnerKind = 'user'
  return names.length === 0 ? undefined : new Set(names.map((one) => scopeFor(base, kind, String(one))))
}

/** Whether a memory, as Mem0 shows it, is what a filter wants. */
export function matches(filter: JSONObject, memory: JSONObject): boolean {
  return Object.entries(filter).every(([name, value]) => {
    if (name === 'AND') return listOf(value).every((one) => isObject(one) && matches(one, memory))
    if (name === 'OR') return listOf(value).some((one) => isObject(one) && matches(one, memory))
    if (name === 'NOT') return !listOf(value).some((one) => isObject(one) && matches(one, memory))
    return matchesField(fieldOf(memory, name), value)
  })
}

function fieldOf(memory: JSONObject, name: string): JSONValue | undefined {
  if (name === 'keywords') return memory['memory']
  return name === 'session_id' ? memory['run_id'] : memory[name]
}

function matchesField(found: JSONValue | undefined, wanted: JSONValue): boolean {
  if (wanted === '*') return found !== null && found !== undefined
  if (!isObject(wanted)) return same(found, wanted)
  const names = Object.keys(wanted)
  const isOperation = names.length > 0 && names.every((name) => (operators as readonly string[]).includes(name))
  // Metadata is compared by the fields that are named.
  if (!isOperation)
    return isObject(found) && names.every((name) => matchesField(found[name], wanted[name] as JSONValue))
  return names.every((name) => operate(name as (typeof operators)[number], found, wanted[name] as JSONValue))
}

function operate(operator: (typeof operators)[number], found: JSONValue | undefined, wanted: JSONValue): boolean {
  switch (operator) {
    case 'in':
      return listOf(wanted).some((one) => same(found, one))
    case 'eq':
      return same(found, wanted)
    case 'ne':
      return !same(found, wanted)
    case 'contains':
      return Array.isArray(found) ? found.some((one) => same(one, wanted)) : textIn(found).includes(textIn(wanted))
    case 'icontains':
      return textIn(found).toLowerCase().includes(textIn(wanted).toLowerCase())
    case 'gt':
      return compare(found, wanted) > 0
    case 'gte':
      return compare(found, wanted) >= 0
    case 'lt':
      return compare(found, wanted) < 0
    case 'lte':
      return compare(found, wanted) <= 0
  }
}

/** Numbers and times by their value; `NaN`, which is neither more nor less, if they cannot be compared. */
function compare(found: JSONValue | undefined, wanted: JSONValue): number {
  if (typeof found === 'number' && typeof wanted === 'number') return found - wanted
  return Date.parse(textIn(found)) - Date.parse(textIn(wanted))
}

function same(found: JSONValue | undefined, wanted: JSONValue): boolean {
  return found === wanted || JSON.stringify(found) === JSON.stringify(wanted)
}

function textIn(value: JSONValue | undefined): string {
  return typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value)
}

function listOf(value: JSONValue | undefined): readonly JSONValue[] {
  if (value === undefined) return []
  return Array.isArray(value) ? (value as readonly JSONValue[]) : [value]
}

/** The fields of several filters that all hold. */
function entriesOf(value: JSONValue): readonly (readonly [string, JSONValue])[] {
  return listOf(value).flatMap((one) => (isObject(one) ? Object.entries(one) : [])) as readonly (readonly [
    string,
    JSONValue,
  ])[]
}

function isObject(value: unknown): value is JSONObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
