import { MemoryError } from '../domain/error.ts'
import type { JSONValue } from '../domain/json.ts'
import { quote } from '../domain/refuse.ts'
import type { StateDecision, StateHead, StateRow } from '../ports/state-store.ts'
import type { StateEntry } from './entry.ts'

/** A refusal is an answer: a transaction that has begun to write must not be left by an error. */
export type StateOutcome<Result> =
  | { readonly ok: true; readonly result: Result }
  | { readonly ok: false; readonly error: MemoryError }

export function resultOf<Result>(outcome: StateOutcome<Result>): Result {
  if (!outcome.ok) throw outcome.error
  return outcome.result
}

export function refused<Result>(error: MemoryError): StateDecision<StateOutcome<Result>> {
  return { answer: { ok: false, error }, at: 0, rows: [] }
}

interface Write {
  readonly key: string
  /** Missing to delete. */
  readonly value?: JSONValue
  /** The version that the caller has read; 0 if there was nothing. */
  readonly expected?: number
  readonly now: number
}

/** Sets or deletes one key, if it is still what the caller has read. */
export function decideWrite(
  head: StateHead,
  rows: ReadonlyMap<string, StateRow>,
  { key, value, expected, now }: Write,
): StateDecision<StateOutcome<StateEntry | 'deleted' | null>> {
  const found = rows.get(key)?.version ?? 0
  if (expected !== undefined && expected !== found) return refused(conflict(key, expected, found))
  if (value === undefined && found === 0) return { answer: { ok: true, result: null }, at: 0, rows: [] }
  const at = nextTime(head, now)
  if (value === undefined) return { answer: { ok: true, result: 'deleted' }, at, rows: [{ key, value: null }] }
  const text = JSON.stringify(value)
  const entry = {
    key,
    value: JSON.parse(text) as JSONValue,
    version: head.version + 1,
    at: new Date(at).toISOString(),
  }
  return { answer: { ok: true, result: entry }, at, rows: [{ key, value: text }] }
}

/** Clocks go back now and then; the order of versions and of their times is one order. */
export function nextTime({ at }: StateHead, now: number): number {
  return Math.max(at, now)
}

function conflict(key: string, expected: number, found: number): MemoryError {
  const is = found === 0 ? 'there is nothing' : `it is at version ${found}`
  const wanted = expected === 0 ? 'nothing there' : `version ${expected}`
  return new MemoryError('state/conflict', `Cannot change ${quote(key)}: ${is}, expected ${wanted}`, {
    key,
    expected,
    found,
  })
}

export function notFound(what: 'value' | 'task' | 'note', id: string): MemoryError {
  return new MemoryError('state/not-found', `Cannot find the ${what} ${quote(id)}: the session has none of that name`, {
    [what]: id,
  })
}
