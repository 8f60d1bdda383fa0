import type { SessionState, StateAsOf, StateEntry, StateSnapshot, Task } from '../api/state.ts'
import { MemoryError } from '../domain/error.ts'
import type { JSONValue } from '../domain/json.ts'
import { parseTime } from '../domain/moment.ts'
import { quote, refuse } from '../domain/refuse.ts'
import type { Address } from '../log/log.ts'
import { redactState } from '../log/redact.ts'
import type { StateQuery } from '../ports/state-store.ts'
import { checkCall } from '../surface/check-call.ts'
import { stateOperations } from '../surface/state.ts'
import { changeRow, conflict } from './change-row.ts'
import { allToolStats } from './count-tools.ts'
import { changeFrom, entriesFrom } from './entry.ts'
import { localNotes } from './local-notes.ts'
import { localTasks } from './local-tasks.ts'
import { checkSection } from './sections.ts'
import { sessionState } from './session-state.ts'
import { currentTasks } from './task.ts'
import type { StateWiring } from './wiring.ts'

const CHANGES_PER_PAGE = 100
const VALUE_BYTES_MAX = 1024 * 1024

/** The working document of a session, on a store of its own. */
export function localState(wiring: StateWiring, address: Address): SessionState {
  const { store, work, log, redactor } = wiring
  const read = async ({ asOf }: StateAsOf, query: Pick<StateQuery, 'key'>): Promise<StateSnapshot> => {
    work.checkOpen()
    const moment = momentOf(asOf)
    const { version, rows } = await store.state.read(address, { section: 'value', ...query, ...moment })
    const entries = entriesFrom(rows)
    return {
      version,
      entries: asOf === undefined ? entries.map((entry) => withoutEnded(entry, log.clock.now())) : entries,
    }
  }
  /** Counted from the log and never set, so it has no version. */
  const toolStats = async ({ asOf }: StateAsOf): Promise<StateEntry> => {
    if (asOf !== undefined)
      refuse('read the state', 'asOf', asOf, 'none for tool_stats: session.document({ asOf }) has it')
    const value = (await allToolStats(wiring, address)) as unknown as JSONValue
    return { key: 'tool_stats', value, version: 0, at: new Date(log.clock.now()).toISOString() }
  }
  return sessionState({
    entry: async (key, options = {}) => {
      checkCall(stateOperations.entry, key, options)
      return key === 'tool_stats' ? toolStats(options) : (await read(options, { key })).entries[0]
    },
    snapshot: async (options = {}) => {
      checkCall(stateOperations.snapshot, options)
      return read(options, {})
    },
    set: async (key, value, options = {}) => {
      checkCall(stateOperations.set, key, value, options)
      work.checkOpen()
      const checked = checkedValue(key, value)
      const clean =
        redactor.state === undefined
          ? checked
          : checkedValue(
              key,
              await redactState(redactor, { kind: 'value', key, value: JSON.parse(checked) as JSONValue }),
            )
      return changeRow(wiring, address, { section: 'value', key }, (row, { version, at }) => {
        const entry = { key, value: JSON.parse(clean) as JSONValue, version, at: new Date(at).toISOString() }
        return conflict(key, options.expected, row?.version) ?? { result: entry, value: clean }
      })
    },
    delete: async (key, options = {}) => {
      checkCall(stateOperations.delete, key, options)
      return changeRow(wiring, address, { section: 'value', key }, (row) => {
        const found = row === undefined ? { result: false } : { result: true, value: null }
        return conflict(key, options.expected, row?.version) ?? found
      })
    },
    history: async (key, options = {}) => {
      checkCall(stateOperations.history, key, options)
      const { limit = CHANGES_PER_PAGE, before = Number.MAX_SAFE_INTEGER } = options
      work.checkOpen()
      return (await store.state.history(address, { section: 'value', key, before, limit })).map(changeFrom)
    },
    tasks: localTasks(wiring, address),
    notes: localNotes(wiring, address),
  })
}

/** The text of a value that is JSON, has the shape of its section and is not too large. */
function checkedValue(key: string, value: JSONValue): string {
  const attempt = 'set a value of the state'
  checkSection(attempt, key, value)
  const text = JSON.stringify(value)
  const bytes = Buffer.byteLength(text)
  if (bytes > VALUE_BYTES_MAX)
    throw new MemoryError(
      'input/too-large',
      `Cannot ${attempt}: ${quote(key)} has ${bytes} bytes, expected at most ${VALUE_BYTES_MAX}`,
      { key, bytes, max: VALUE_BYTES_MAX },
    )
  return text
}

function momentOf(asOf: StateAsOf['asOf']): Pick<StateQuery, 'asOf'> {
  if (asOf === undefined) return {}
  return typeof asOf === 'object' && 'version' in asOf
    ? { asOf: { version: asOf.version } }
    : { asOf: { time: parseTime('read the state', 'asOf', asOf) } }
}

/** Ended tasks leave the document when their time is over, whether or not somebody writes. */
function withoutEnded(entry: StateEntry, now: number): StateEntry {
  if (entry.key !== 'active_tasks') return entry
  const tasks = currentTasks(entry.value as unknown as readonly Task[], Math.floor(now / 1000))
  return { ...entry, value: tasks as unknown as JSONValue }
}
