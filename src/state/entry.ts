import type { JSONObject, JSONValue } from '../domain/json.ts'
import type { StateRow } from '../ports/state-store.ts'

/** What a key holds, and since which version of the session's state. */
export interface StateEntry {
  readonly key: string
  readonly value: JSONValue
  /** Give it back as `expected` to change only what you have read. */
  readonly version: number
  readonly at: string
}

/** One change of a key. `value` is missing where it was deleted. */
export type StateChange = Omit<StateEntry, 'value'> & { readonly value?: JSONValue }

/** All values of a session at one version. */
export interface StateSnapshot {
  readonly version: number
  /** By key, sorted. */
  readonly entries: readonly StateEntry[]
}

function entryFrom(row: StateRow & { readonly value: string }): StateEntry {
  const { key, version, at, value } = row
  return { key, value: JSON.parse(value) as JSONValue, version, at: new Date(at).toISOString() }
}

export function changeFrom(row: StateRow): StateChange {
  const { key, version, at, value } = row
  return value === null ? { key, version, at: new Date(at).toISOString() } : entryFrom({ ...row, value })
}

/** Sorted here and not in the database: theirs differ in how they order text. */
export function entriesFrom(rows: readonly StateRow[]): readonly StateEntry[] {
  return rows
    .flatMap((row) => (row.value === null ? [] : [entryFrom({ ...row, value: row.value })]))
    .toSorted((a, b) => (a.key < b.key ? -1 : 1))
}

/** Entries, not assignment: a key named `__proto__` must stay a key. */
export function valuesOf(entries: readonly StateEntry[]): JSONObject {
  return Object.fromEntries(entries.map(({ key, value }) => [key, value]))
}
