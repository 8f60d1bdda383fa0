import type { JobSubject } from '../../domain/job.ts'
import type { JSONValue } from '../../domain/json.ts'
import type { JobChange, JobFindings, JobRow, JobStore, JobTally } from '../../ports/job-store.ts'
import type { Database } from './database.ts'
import { type JobStatements, dueJobs, jobStatements, listJobs } from './job-statements.ts'
import { lock } from './lock.ts'
import { type Program, inParallel, all, allEach, countRows, one, changeRows, runEach } from './program.ts'

/** So many at a time: pruning never holds the database for long. */
const PRUNED_MAX = 500
const FINISHED = ['done', 'cancelled'] as const

/** Payload and result as JSON text, as they stand in the table. */
type StoredJob = Omit<JobRow, 'payload' | 'result'> & { readonly payload: string; readonly result: string }

interface Group {
  readonly state: 'waiting' | 'running'
  readonly due: 0 | 1
  readonly count: number
  readonly inMs: number
}

/** Background work: rows in, rows out. */
export function jobStore(database: Database): JobStore {
  const sql = jobStatements(database.dialect)
  return {
    change: ({ of, countMax, decide }) =>
      database.write('change a job', 'id' in of ? 'every scope' : [of.scope], function* () {
        const { answer, insert, update } = decide(yield* facts(database, sql, of, countMax))
        if (insert !== undefined) yield* insertJob(sql, insert)
        if (update !== undefined) yield* changeRows(sql.update, ...changeable(update), update.updatedAt, update.id)
        return answer
      }),
    claim: ({ kind, owner, leaseMs, except, limit }) =>
      database.write('claim jobs', 'every scope', function* () {
        const due = yield* all<{ readonly key: number }>(
          dueJobs(database.dialect, except.length),
          kind,
          ...except,
          limit,
        )
        const claimed = yield* allEach<StoredJob>(
          sql.claim,
          due.map(({ key }) => [owner, leaseMs, key]),
        )
        return claimed.flat().map(fromStored)
      }),
    list: ({ scope, kind, state, changedSince, after, limit }) => {
      const given = { scope, kind, state, changedSince }
      const filters = Object.entries(given).filter(([, value]) => value !== undefined)
      const statement = listJobs(filters.map(([name]) => name as keyof typeof given))
      return database.read('list jobs', scope === undefined ? 'every scope' : [scope], function* () {
        const before = after === undefined ? Number.MAX_SAFE_INTEGER : yield* keyOf(sql, after)
        return (yield* all<StoredJob>(statement, ...filters.map(([, value]) => value), before, limit)).map(fromStored)
      })
    },
    tally: (kinds) => database.read('count jobs', 'every scope', () => tally(sql, kinds)),
    prune: (kind, keep) =>
      database.write('prune jobs', 'every scope', () =>
        runEach(
          sql.prune,
          FINISHED.map((state) => [kind, state, PRUNED_MAX, keep]),
        ),
      ),
  }
}

/** Rows that a decision rests on are held: a claim in another process passes them over until it is written. */
function* facts(
  database: Database,
  sql: JobStatements,
  of: JobChange<unknown>['of'],
  countMax: number | undefined,
): Program<JobFindings> {
  const subject = 'id' in of ? yield* one<JobSubject>(sql.subjectOf, of.id) : of
  if (subject === undefined)
    return { now: yield* now(sql), job: undefined, live: undefined, latest: undefined, dueOfKind: 0 }
  const { kind, scope, subject: name } = subject
  // What is not there yet cannot be held by a row: of two processes that find the same work, one waits here. Before any
  // row is held, so that no two wait for each other.
  yield* lock(database, 'job', kind, scope, name)
  // The clock last, after whatever had to be waited for.
  const [job, live, latest, dueOfKind, time] = yield* inParallel([
    oneJob(sql.byId, 'id' in of ? of.id : null),
    oneJob(sql.liveOfSubject, kind, scope, name),
    oneJob(sql.latestOfSubject, kind, scope, name),
    countRows(sql.dueOfKind, kind, countMax ?? 0),
    now(sql),
  ])
  return { now: time, job, live, latest, dueOfKind }
}

function* now(sql: JobStatements): Program<number> {
  return (yield* one<{ readonly now: number }>(sql.now))?.now ?? 0
}

function* oneJob(statement: string, ...values: readonly unknown[]): Program<JobRow | undefined> {
  const row = yield* one<StoredJob>(statement, ...values)
  return row === undefined ? undefined : fromStored(row)
}

function* tally(sql: JobStatements, kinds: readonly string[]): Program<JobTally> {
  const groups = (yield* allEach<Group>(
    sql.tally,
    kinds.map((kind) => [kind]),
  )).flat()
  const failed = yield* allEach<{ readonly count: number }>(
    sql.failed,
    kinds.map((kind) => [kind]),
  )
  const sum = (passes: (group: Group) => boolean): number =>
    groups.filter(passes).reduce((total, group) => total + group.count, 0)
  const later = groups.filter(({ due }) => due === 0).map(({ inMs }) => inMs)
  return {
    due: sum(({ due }) => due === 1),
    running: sum(({ state, due }) => state === 'running' && due === 0),
    waiting: sum(({ state, due }) => state === 'waiting' && due === 0),
    failed: failed.reduce((total, [row]) => total + (row?.count ?? 0), 0),
    nextInMs: later.length === 0 ? undefined : Math.min(...later),
  }
}

function insertJob(sql: JobStatements, row: JobRow): Program<number> {
  const { id, kind, scope, subject, createdAt } = row
  const [mark, payload, ...rest] = changeable(row)
  return changeRows(sql.insert, id, kind, scope, subject, mark, payload, ...rest, createdAt, row.updatedAt)
}

/** A job that is gone has nothing after it. */
function* keyOf(sql: JobStatements, id: string): Program<number> {
  return (yield* one<{ readonly key: number }>(sql.keyOf, id))?.key ?? 0
}

/** In the order of the columns of both `insert` and `update`. */
function changeable({ mark, payload, state, attempts, dueAt, owner, error, result }: JobRow): readonly unknown[] {
  return [mark, JSON.stringify(payload), state, attempts, dueAt, owner, error, JSON.stringify(result)]
}

function fromStored(row: StoredJob): JobRow {
  return { ...row, payload: JSON.parse(row.payload) as JSONValue, result: JSON.parse(row.result) as JSONValue }
}
