import { MemoryError } from '../domain/error.ts'
import { quote } from '../domain/refuse.ts'
import type { Address } from '../log/log.ts'
import type { StateHead, StateRow, StateSection } from '../ports/state-store.ts'
import type { StateWiring } from './wiring.ts'

/** What becomes of a row. An error is returned, not thrown: the transaction has begun. Without a value nothing is written. */
export type RowChange<Result> = MemoryError | { readonly result: Result; readonly value?: string | null }

/** The version and the time that the row gets. */
export interface NextVersion {
  readonly version: number
  readonly at: number
}

/** Changes one row of a session's state, decided in the transaction that writes it. */
export async function changeRow<Result>(
  { store, work, log }: Pick<StateWiring, 'work' | 'log'> & { readonly store: Pick<StateWiring['store'], 'state'> },
  address: Address,
  { section, key }: { readonly section: StateSection; readonly key: string },
  decide: (row: StateRow | undefined, next: NextVersion) => RowChange<Result>,
): Promise<Result> {
  work.checkOpen()
  const change = store.state.change(address, { section, keys: [key] }, (head, rows) => {
    const at = nextTime(head, log.clock.now())
    const answer = decide(rows.get(key), { version: head.version + 1, at })
    const value = answer instanceof MemoryError ? undefined : answer.value
    return { answer, at, rows: value === undefined ? [] : [{ key, value }] }
  })
  const outcome = await work.begin(change)
  if (outcome instanceof MemoryError) throw outcome
  return outcome.result
}

/** Clocks go back now and then; the times of versions are in the order of the versions. */
export function nextTime({ at }: StateHead, now: number): number {
  return Math.max(at, now)
}

/** The error for a value that does not have the expected version; 0 if there is none. */
export function conflict(key: string, expected: number | undefined, found = 0): MemoryError | undefined {
  if (expected === undefined || expected === found) return undefined
  const is = found === 0 ? 'there is nothing' : `it is at version ${found}`
  const wanted = expected === 0 ? 'nothing there' : `version ${expected}`
  return new MemoryError('state/conflict', `Cannot change ${quote(key)}: ${is}, expected ${wanted}`, {
    key,
    expected,
    found,
  })
}

/** The error for a task or a note that the session does not have. */
export function notFound(what: 'task' | 'note', id: string): MemoryError {
  return new MemoryError('state/not-found', `Cannot find the ${what} ${quote(id)}: the session has none with that id`, {
    [what]: id,
  })
}

/** The error for an id that another task or note has. */
export function alreadyThere(what: 'task' | 'note', id: string): MemoryError {
  return new MemoryError('state/conflict', `Cannot add the ${what} ${quote(id)}: there is one with that id`, {
    [what]: id,
  })
}
