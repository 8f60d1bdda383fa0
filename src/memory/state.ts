import { checkOptions } from '../domain/check-options.ts'
import type { JSONObject, JSONValue } from '../domain/json.ts'
import { checkId } from '../domain/names.ts'
import { refuse } from '../domain/refuse.ts'
import type { Address } from '../log/log.ts'
import type { StateQuery } from '../ports/state-store.ts'
import { type Component, type Components, keepComponents } from '../state/component.ts'
import { decideWrite, resultOf } from '../state/decide.ts'
import {
  type StateChange,
  type StateEntry,
  type StateSnapshot,
  changeFrom,
  entriesFrom,
  valuesOf,
} from '../state/entry.ts'
import type { Expecting, Notes, SessionState, StateAsOf, Tasks } from '../state/session-state.ts'
import { type Task, currentTasks } from '../state/task.ts'
import { updateValue } from '../state/update-value.ts'
import { checkCount, checkPosition } from './check-arguments.ts'
import { checkExpecting, checkedMoment, checkedValue } from './check-state.ts'
import { localNotes } from './notes.ts'
import type { Wiring } from './wiring.ts'
import { redactState } from '../log/redact.ts'
import { localTasks } from './tasks.ts'
import { allToolStats } from './tool-stats.ts'

const CHANGES_PER_PAGE = 100

/** The working document of a session, on a store of its own. */
export class LocalState implements SessionState {
  readonly tasks: Tasks
  readonly notes: Notes
  readonly #parts: Wiring
  readonly #address: Address

  /** @internal Use `session.state`. */
  constructor(parts: Wiring, address: Address) {
    this.#parts = parts
    this.#address = address
    this.tasks = localTasks(parts, address)
    this.notes = localNotes(parts, address)
  }

  get(): Promise<JSONObject>
  get(key: string, options?: StateAsOf): Promise<JSONValue | undefined>
  async get(key?: string, options: StateAsOf = {}): Promise<JSONObject | JSONValue | undefined> {
    if (key === undefined) return valuesOf((await this.snapshot(options)).entries)
    return (await this.entry(key, options))?.value
  }

  async entry(key: string, options: StateAsOf = {}): Promise<StateEntry | undefined> {
    checkId('read the state', 'key', key)
    return key === 'tool_stats' ? this.#toolStats(options) : (await this.#read(options, { key })).entries[0]
  }

  async snapshot(options: StateAsOf = {}): Promise<StateSnapshot> {
    return this.#read(options, {})
  }

  async set(key: string, value: JSONValue, options: Expecting = {}): Promise<StateEntry> {
    const attempt = 'set a value of the state'
    checkId(attempt, 'key', key)
    checkExpecting(attempt, options)
    const { redactor, work } = this.#parts
    work.checkOpen()
    const checked = checkedValue(attempt, key, value)
    const clean =
      redactor.state === undefined
        ? checked
        : checkedValue(attempt, key, await redactState(redactor, { kind: 'value', key, value: checked }))
    const entry = await this.#write(key, { ...options, value: clean })
    return entry as StateEntry
  }

  async update(
    key: string,
    change: (value: JSONValue | undefined) => JSONValue | Promise<JSONValue>,
  ): Promise<StateEntry> {
    return updateValue(this, key, change)
  }

  async delete(key: string, options: Expecting = {}): Promise<boolean> {
    checkId('delete a value of the state', 'key', key)
    checkExpecting('delete a value of the state', options)
    return (await this.#write(key, options)) === 'deleted'
  }

  async history(
    key: string,
    options: { readonly limit?: number; readonly before?: number } = {},
  ): Promise<readonly StateChange[]> {
    const attempt = 'read the history of the state'
    checkId(attempt, 'key', key)
    checkOptions(attempt, options, ['limit', 'before'])
    const { limit = CHANGES_PER_PAGE, before = Number.MAX_SAFE_INTEGER } = options
    checkCount(attempt, 'limit', limit)
    checkPosition(attempt, 'before', before)
    const { store, work } = this.#parts
    work.checkOpen()
    return (await store.state.history(this.#address, { section: 'value', key, before, limit })).map(changeFrom)
  }

  components(parts: Readonly<Record<string, Component>>): Components {
    return keepComponents(this, parts)
  }

  async #read(options: StateAsOf, query: Pick<StateQuery, 'key'>): Promise<StateSnapshot> {
    const { store, work, log } = this.#parts
    work.checkOpen()
    const moment = checkedMoment('read the state', options)
    const { version, rows } = await store.state.read(this.#address, { section: 'value', ...query, ...moment })
    const entries = entriesFrom(rows)
    return {
      version,
      entries: moment.asOf === undefined ? entries.map((entry) => withoutEnded(entry, log.clock.now())) : entries,
    }
  }

  #write(
    key: string,
    { value, expected }: Expecting & { readonly value?: JSONValue },
  ): Promise<StateEntry | 'deleted' | null> {
    const { store, work, log } = this.#parts
    work.checkOpen()
    const wanted = {
      key,
      now: log.clock.now(),
      ...(value === undefined ? {} : { value }),
      ...(expected === undefined ? {} : { expected }),
    }
    const change = store.state.change(this.#address, { section: 'value', keys: [key] }, (head, rows) =>
      decideWrite(head, rows, wanted),
    )
    return work.begin(change.then(resultOf))
  }

  /** Counted and never set: so it has no version. */
  async #toolStats(options: StateAsOf): Promise<StateEntry> {
    checkOptions('read the state', options, ['asOf'])
    if (options.asOf !== undefined)
      refuse('read the state', 'asOf', options.asOf, 'none for tool_stats: ask session.document({ asOf })')
    const stats = await allToolStats(this.#parts, this.#address)
    return {
      key: 'tool_stats',
      value: stats as unknown as JSONValue,
      version: 0,
      at: new Date(this.#parts.log.clock.now()).toISOString(),
    }
  }
}

/** Tasks that ended leave the document when their time is over, whether or not somebody writes. */
function withoutEnded(entry: StateEntry, now: number): StateEntry {
  if (entry.key !== 'active_tasks') return entry
  const tasks = currentTasks(entry.value as unknown as readonly Task[], Math.floor(now / 1000))
  return { ...entry, value: tasks as unknown as JSONValue }
}
