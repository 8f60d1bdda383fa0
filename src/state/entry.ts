import type { StateChange, StateEntry } from '../api/state.ts'
import type { JSONObject, JSONValue } from '../domain/json.ts'
import type { StateRow } from '../ports/state-store.ts'

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
