import type { JSONValue } from '../../domain/json.ts'
import type { Claim, JobChange, JobFacts, JobQuery, JobRow, JobStore, JobTally } from '../../ports/job-store.ts'
import { listJobs, jobStatements as sql } from '../sql/job-statements.ts'
import type { Connection } from './connection.ts'
import { patiently } from './patiently.ts'
import type { WriteQueue } from './write-queue.ts'

/** So many at a time: pruning never holds the file for long. */
const PRUNED_MAX = 500
const FINISHED = ['done', 'cancelled'] as const

/** Payload and result as JSON text, as they stand in the table. */
type StoredJob = Omit<JobRow, 'payload' | 'result'> & { readonly payload: string; readonly result: string }

/** Background work in an SQLite file: rows in, rows out. */
export class SqliteJobStore implements JobStore {
  readonly #connection: Connection
  readonly #queue: WriteQueue

  constructor(connection: Connection, queue: WriteQueue) {
    this.#connection = connection
    this.#queue = queue
  }

  change<Answer>({ of, count, decide }: JobChange<Answer>): Promise<Answer> {
    return this.#queue.write('change a job', () => {
      const { answer, insert, update } = decide(this.#facts(of, count))
      if (insert !== undefined) this.#insert(insert)
      if (update !== undefined) this.#update(update)
      return answer
    })
  }

  claim({ kind, owner, now, leaseUntil, limit }: Claim): Promise<readonly JobRow[]> {
    return this.#queue.write('claim jobs', () => this.#all(sql.claim, owner, leaseUntil, now, kind, now, limit))
  }

  list({ scope, kind, state, after, limit }: JobQuery): Promise<readonly JobRow[]> {
    const filters = Object.entries({ scope, kind, state }).filter(([, value]) => value !== undefined)
    const statement = listJobs(filters.map(([column]) => column as 'scope' | 'kind' | 'state'))
    return this.#read('list jobs', () => {
      const before = after === undefined ? Number.MAX_SAFE_INTEGER : this.#keyOf(after)
      return this.#all(statement, ...filters.map(([, value]) => value), before, limit)
    })
  }

  tally(kinds: readonly string[], now: number): Promise<JobTally> {
    return this.#read('count jobs', () => {
      const groups = kinds.flatMap((kind) => this.#groups(kind, now))
      const sum = (passes: (group: Group) => boolean): number =>
        groups.filter(passes).reduce((total, { count }) => total + count, 0)
      const later = groups.filter(({ due }) => due === 0).map(({ nextAt }) => nextAt)
      return {
        due: sum(({ due }) => due === 1),
        running: sum(({ state, due }) => state === 'running' && due === 0),
        waiting: sum(({ state, due }) => state === 'waiting' && due === 0),
        failed: kinds.reduce((total, kind) => total + this.#count(sql.failed, kind), 0),
        nextAt: later.length === 0 ? undefined : Math.min(...later),
      }
    })
  }

  prune(kind: string, keep: number): Promise<number> {
    return this.#queue.write('prune jobs', () =>
      FINISHED.reduce(
        (total, state) => total + this.#connection.statement(sql.prune).run(kind, state, PRUNED_MAX, keep).changes,
        0,
      ),
    )
  }

  #read<Result>(attempt: string, run: () => Result): Promise<Result> {
    return patiently(attempt, run, (error) => this.#connection.noticeFailure(error))
  }

  #facts(of: JobChange<unknown>['of'], count: JobChange<unknown>['count']): JobFacts {
    const [job] = 'id' in of ? this.#all(sql.byId, of.id) : []
    const subject = 'id' in of ? job : of
    if (subject === undefined) return { job, live: undefined, latest: undefined, dueOfKind: 0 }
    const { kind, scope, subject: name } = subject
    const [live] = this.#all(sql.liveOfSubject, kind, scope, name)
    const [latest] = this.#all(sql.latestOfSubject, kind, scope, name)
    const dueOfKind = count === undefined ? 0 : this.#count(sql.dueOfKind, kind, count.now, count.max)
    return { job, live, latest, dueOfKind }
  }

  #insert(row: JobRow): void {
    const { id, kind, scope, subject, createdAt } = row
    const [mark, payload, ...rest] = changeable(row)
    this.#connection
      .statement(sql.insert)
      .run(id, kind, scope, subject, mark, payload, ...rest, createdAt, row.updatedAt)
  }

  #update(row: JobRow): void {
    this.#connection.statement(sql.update).run(...changeable(row), row.updatedAt, row.id)
  }

  #all(statement: string, ...values: unknown[]): readonly JobRow[] {
    return (this.#connection.statement(statement).all(...values) as StoredJob[]).map(fromStored)
  }

  #groups(kind: string, now: number): readonly Group[] {
    return this.#connection.statement(sql.tally).all(now, kind) as Group[]
  }

  #count(statement: string, ...values: unknown[]): number {
    return (this.#connection.statement(statement).get(...values) as { count: number }).count
  }

  /** A job that is gone has nothing after it. */
  #keyOf(id: string): number {
    return (this.#connection.statement(sql.keyOf).get(id) as { key: number } | undefined)?.key ?? 0
  }
}

interface Group {
  readonly state: 'waiting' | 'running'
  readonly due: 0 | 1
  readonly count: number
  readonly nextAt: number
}

/** In the order of the columns of both `insert` and `update`. */
function changeable({ mark, payload, state, attempts, dueAt, owner, error, result }: JobRow): readonly unknown[] {
  return [mark, JSON.stringify(payload), state, attempts, dueAt, owner, error, JSON.stringify(result)]
}

function fromStored(row: StoredJob): JobRow {
  return { ...row, payload: JSON.parse(row.payload) as JSONValue, result: JSON.parse(row.result) as JSONValue }
}
