import type {
  StateHead,
  StatePlace,
  StateQuery,
  StateRange,
  StateReplacement,
  StateRow,
  StateSection,
  StateStore,
  ToolCounts,
} from '../../ports/state-store.ts'
import { blockPlace, blockPlaces } from '../../domain/block-place.ts'
import type { Database } from './database.ts'
import { eraseState } from './erase-state.ts'
import { type Program, all, allEach, changeRows, countRows, one, runEach } from './program.ts'
import { stateStatements as sql, withBlocks } from './state-statements.ts'

const START: StateHead = { version: 0, at: 0 }
/** What the name of every block is like. */
const LIKE_A_BLOCK = `%${blockPlace('', '')}%`

/** The working documents of sessions. */
export function stateStore(database: Database): StateStore {
  return {
    read: (place, query) => database.snapshot('read the state', [place.scope], () => read(place, query)),
    history: ({ scope, session }, { section, key, before, limit }) =>
      database.read('read the history of the state', [scope], () =>
        all<StateRow>(sql.historyOfKey, scope, session, section, key, before, limit),
      ),
    change: (place, { section, keys }, decide) =>
      database.write('change the state', [place.scope], function* () {
        const { scope, session } = place
        const { head, rows } = yield* lock(place, section, keys)
        const { answer, at, rows: written } = decide(head, rows)
        if (written.length === 0) return answer
        const version = head.version + 1
        yield* changeRows(sql.moveHead, version, at, scope, session)
        for (const row of written) yield* write(place, section, { ...row, version, at })
        return answer
      }),
    blocks: (owners, asOf) =>
      database.snapshot('read blocks', [...new Set(owners.map(({ scope }) => scope))], function* () {
        const values = owners.map(({ scope, owner }) => [scope, ...blockPlaces(owner)])
        const found =
          asOf === undefined
            ? yield* allEach<StateRow>(sql.blocks, values)
            : yield* allEach<StateRow>(
                sql.earlierBlocks,
                values.map((each) => [...each, asOf]),
              )
        return owners.map((owner, index) => ({ ...owner, rows: found[index] ?? [] }))
      }),
    range: (place, ranges) => database.snapshot('read records', [place.scope], () => readRanges(place, ranges)),
    replace: (place, { section, keys }, decide) =>
      database.write('change records', [place.scope], function* () {
        const { head, rows } = yield* lock(place, section, keys)
        const replacement = decide(head, rows)
        yield* substitute(place, head.version + 1, replacement)
        return replacement.answer
      }),
    toolCounts: ({ scope, session }) =>
      database.read('read how often tools were called', [scope], () => one<ToolCounts>(sql.toolCounts, scope, session)),
    keepToolCounts: ({ scope, session }, { log, through, counts }) =>
      database.write('store how often tools were called', [scope], function* () {
        yield* changeRows(sql.writeToolCounts, scope, session, log, through, counts)
      }),
    clearToolCounts: () =>
      database.write('throw away how often tools were called', 'every scope', function* () {
        yield* changeRows(sql.writeNoToolCounts)
      }),
    sessions: (scope, { after, limit }) =>
      database.read('list sessions', [scope], () => all(sql.withoutLog, scope, after, LIKE_A_BLOCK, limit)),
    count: ({ scope, session }) =>
      database.read('count the state', [scope], () => countRows(sql.countEntries, ...withBlocks(scope, session))),
    forget: (place, hash) =>
      database.write('forget the state', [place.scope], function* () {
        const rows = yield* eraseState(place, hash)
        yield* changeRows(sql.forgetToolCounts, place.scope, place.session)
        return rows
      }),
  }
}

/** Writes rows in place of others, which leave no history. */
function* substitute(
  { scope, session }: StatePlace,
  version: number,
  { at, clears, writes }: StateReplacement<unknown>,
): Program<void> {
  if (clears.length === 0 && writes.length === 0) return
  yield* changeRows(sql.moveHead, version, at, scope, session)
  for (const { section, from, to } of clears) yield* changeRows(sql.deleteRange, scope, session, section, from, to)
  yield* runEach(
    sql.deleteOne,
    writes.map(({ section, key }) => [scope, session, section, key]),
  )
  yield* runEach(
    sql.insertEntry,
    writes.flatMap(({ section, key, value }) =>
      value === null ? [] : [[scope, session, section, key, version, at, value]],
    ),
  )
}

function* readRanges(
  { scope, session }: StatePlace,
  ranges: readonly StateRange[],
): Program<readonly (readonly StateRow[])[]> {
  const found: (readonly StateRow[])[] = []
  for (const { section, from, to, after, limit, descending } of ranges) {
    const text = descending ? sql.descending : sql.ascending
    found.push(yield* all<StateRow>(text, scope, session, section, from, to, after, limit))
  }
  return found
}

/** Waits for the turn to change a state, and reads the rows of these keys. */
function* lock(
  { scope, session }: StatePlace,
  section: StateSection,
  keys: readonly string[],
): Program<{ readonly head: StateHead; readonly rows: ReadonlyMap<string, StateRow> }> {
  const head = (yield* one<StateHead>(sql.lockHead, scope, session)) ?? START
  const rows = new Map<string, StateRow>()
  for (const key of keys) {
    const row = yield* one<StateRow>(sql.currentOne, scope, session, section, key)
    if (row !== undefined) rows.set(key, row)
  }
  return { head, rows }
}

function* read(
  { scope, session }: StatePlace,
  { section, key, asOf }: StateQuery,
): Program<{ readonly version: number; readonly rows: readonly StateRow[] }> {
  const head = (yield* one<StateHead>(sql.head, scope, session)) ?? START
  if (asOf === undefined) {
    const rows =
      key === undefined
        ? yield* all<StateRow>(sql.current, scope, session, section)
        : yield* all<StateRow>(sql.currentOne, scope, session, section, key)
    return { version: head.version, rows }
  }
  const version =
    'version' in asOf
      ? Math.min(asOf.version, head.version)
      : ((yield* one<StateHead>(sql.headAt, scope, session, asOf.time)) ?? START).version
  const rows =
    key === undefined
      ? yield* all<StateRow>(sql.earlier, scope, session, section, version, version)
      : yield* all<StateRow>(sql.earlierOne, scope, session, section, key, version, version)
  return { version, rows }
}

function* write({ scope, session }: StatePlace, section: StateSection, row: StateRow): Program<void> {
  const { key, version, at, value } = row
  yield* changeRows(sql.close, version, scope, session, section, key)
  yield* changeRows(sql.insertEntry, scope, session, section, key, version, at, value)
}
