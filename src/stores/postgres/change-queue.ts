import { setImmediate } from 'node:timers/promises'
import { MemoryError } from '../../domain/error.ts'
import { pairKey } from '../../domain/pair-key.ts'
import type { LogChange } from '../../ports/log-store.ts'
import type { Database } from '../sql/database.ts'
import type { HeadCache } from '../sql/head-cache.ts'
import { type LogOutcome, type WrittenBatch, logWriter } from '../sql/log-writer.ts'
import { type Program, write } from '../sql/program.ts'
import { postgres } from './dialect.ts'
import { isNotHeld } from './not-held.ts'
import type { Transactions } from './transactions.ts'

const CHANGES_PER_BATCH_MAX = 256
/** So long a batch waits for rows that others hold; then its sessions go on by themselves, and each waits for its own. */
const PATIENCE_MS = 2_000
/** So many of those at a time: the other connections are for whoever is not held up. */
const LANES = 3

const PATIENCE = `SELECT set_config('lock_timeout', ?, true)`

interface Waiting {
  readonly change: LogChange<unknown>
  readonly since: number
  readonly resolve: (answer: unknown) => void
  readonly reject: (error: unknown) => void
}

/**
 * The only way to write to the log. Changes that arrive together are one transaction with one commit, and while it is on its
 * way the next ones gather. One that is refused fails alone, and one whose session somebody else holds waits alone.
 *
 * The order of commits: a session's row is locked before its end is read, and free again only after the commit. So its
 * numbers are handed out in the order in which they become visible: a reader that sees a message sees all before it.
 */
export class ChangeQueue {
  readonly #database: Pick<Database, 'write'>
  readonly #limits: Transactions['limits']
  readonly #onCommit: () => void
  #waiting: Waiting[] = []
  #draining: Promise<void> | undefined
  /** Sessions that go on by themselves: what else is to be written to them waits. */
  readonly #apart = new Set<string>()
  readonly #lanes = new Set<Promise<void>>()
  readonly #heads: HeadCache
  readonly #writer: (changes: readonly LogChange<unknown>[]) => Program<WrittenBatch>

  constructor(
    { database, limits }: { readonly database: Pick<Database, 'write'>; readonly limits: Transactions['limits'] },
    heads: HeadCache,
    onCommit: () => void,
  ) {
    this.#database = database
    this.#limits = limits
    this.#heads = heads
    this.#writer = logWriter(postgres, heads)
    this.#onCommit = onCommit
  }

  add<Answer>(change: LogChange<Answer>): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    this.#waiting.push({ change, since: performance.now(), resolve, reject })
    this.#draining ??= this.#drain()
    return promise as Promise<Answer>
  }

  /** Resolves when nothing waits any more. */
  async settled(): Promise<void> {
    while (this.#draining !== undefined || this.#lanes.size > 0) await Promise.all([this.#draining, ...this.#lanes])
  }

  async #drain(): Promise<void> {
    try {
      // One turn of the event loop, so that everybody who wants to write in this turn joins the first batch.
      await setImmediate()
      for (let batch = this.#take(); batch.length > 0; batch = this.#take()) await this.#run(batch)
    } finally {
      this.#draining = undefined
    }
  }

  /** What comes next, without what has to wait for sessions that go on by themselves. */
  #take(): readonly Waiting[] {
    if (this.#apart.size === 0) return this.#waiting.splice(0, batchSize(this.#waiting))
    const busy = new Set(this.#apart)
    const free = this.#waiting.filter(({ change }) => {
      const names = namesOf(change)
      if (!names.some((name) => busy.has(name))) return true
      // Nor may one that comes after it overtake it.
      for (const name of names) busy.add(name)
      return false
    })
    const batch = new Set(free.slice(0, batchSize(free)))
    this.#waiting = this.#waiting.filter((one) => !batch.has(one))
    return [...batch]
  }

  async #run(batch: readonly Waiting[]): Promise<void> {
    try {
      this.#settle(batch, await this.#commit(batch.map(({ change }) => change)))
    } catch (error) {
      const sessions = Map.groupBy(batch, ({ change }) => pairKey(change.scope, change.session))
      if (sessions.size > 1 && MemoryError.is(error) && isHeld(error)) this.#part(sessions)
      // What the server refuses may be the fault of one: alone, each gets its own answer. Nothing of the batch is stored.
      else if (batch.length > 1 && MemoryError.is(error) && !isOfAll(error))
        for (const one of batch) await this.#run([one])
      else this.#fail(batch, error)
    }
  }

  /** Not waited for: changes of other rows go on meanwhile. */
  #part(sessions: ReadonlyMap<string, readonly Waiting[]>): void {
    for (const name of sessions.keys()) this.#apart.add(name)
    const left = [...sessions]
    const next = async (): Promise<void> => {
      for (let one = left.shift(); one !== undefined; one = left.shift()) {
        await this.#run(one[1])
        this.#apart.delete(one[0])
        this.#draining ??= this.#drain()
      }
    }
    for (let lane = 0; lane < LANES; lane++) {
      const running = next().finally(() => this.#lanes.delete(running))
      this.#lanes.add(running)
    }
  }

  /** Where no server was found for as long as a call waits for one, those that have waited as long need not wait again. */
  #fail(batch: readonly Waiting[], error: unknown): void {
    for (const { reject } of batch) reject(error)
    if (!MemoryError.is(error) || !isAway(error)) return
    const longAgo = performance.now() - this.#limits.waitMs
    const late = this.#waiting.filter(({ since }) => since <= longAgo)
    this.#waiting = this.#waiting.filter(({ since }) => since > longAgo)
    for (const { change, reject } of late) reject(notTried(change, error))
  }

  async #commit(changes: readonly LogChange<unknown>[]): Promise<readonly LogOutcome[]> {
    const known = changes.map((change) => this.#heads.of(change))
    try {
      return await this.#transact(changes)
    } catch (error) {
      if (!isNotHeld(error)) throw error
      for (const head of known) if (head !== undefined) this.#heads.wasOtherwise(head)
      return this.#transact(changes)
    }
  }

  async #transact(changes: readonly LogChange<unknown>[]): Promise<readonly LogOutcome[]> {
    const attempt =
      changes.length === 1
        ? `write to session ${JSON.stringify(changes[0]?.session)}`
        : `write to ${changes.length} sessions`
    const visible = [...new Set(changes.map(({ scope }) => scope))]
    const isShared = new Set(changes.map(({ scope, session }) => pairKey(scope, session))).size > 1
    const patience = write(PATIENCE, patienceOf(this.#limits))
    const writer = this.#writer
    const { outcomes, heads } = await this.#database.write(attempt, visible, function* () {
      if (isShared) yield patience
      return yield* writer(changes)
    })
    for (const head of heads) this.#heads.keep(head)
    return outcomes
  }

  #settle(batch: readonly Waiting[], outcomes: readonly LogOutcome[]): void {
    const later = batch.filter((_, index) => outcomes[index] === 'later')
    this.#waiting.unshift(...later)
    for (const [index, { resolve, reject }] of batch.entries()) {
      const outcome = outcomes[index]
      if (outcome === undefined || outcome === 'later') continue
      if ('answer' in outcome) resolve(outcome.answer)
      else reject(outcome.refusal)
    }
    this.#onCommit()
  }
}

/** Far below the time that a statement has: what takes too long is a lock then, and nobody's fault but its holder's. */
function patienceOf({ lockMs }: Transactions['limits']): string {
  return String(Math.max(1, Math.min(PATIENCE_MS, Math.ceil(lockMs / 2))))
}

/** The sessions that a change locks. */
function namesOf({ scope, session, questions: { parent } }: LogChange<unknown>): readonly string[] {
  return [session, ...(parent === undefined ? [] : [parent])].map((name) => pairKey(scope, name))
}

/** A fork reads one session and makes another: it goes alone, so that no batch needs the key of what it makes itself. */
function batchSize(waiting: readonly Waiting[]): number {
  const fork = waiting.findIndex(({ change }) => change.questions.parent !== undefined)
  return fork === 0 ? 1 : Math.min(CHANGES_PER_BATCH_MAX, fork === -1 ? waiting.length : fork)
}

/** Somebody else holds the row of one of the sessions. */
function isHeld({ details }: MemoryError): boolean {
  return details['sqlstate'] === '55P03'
}

/** In its own words: the error of another call may name what is none of this one's business. */
function notTried({ session }: LogChange<unknown>, { code, details, cause }: MemoryError): MemoryError {
  const state = 'the server did not respond to the writes before it, and nothing was written'
  return new MemoryError(code, `Cannot write to session ${JSON.stringify(session)}: ${state}`, { ...details }, cause)
}

/** No server, or no connection to it: nobody else would have come further. */
function isAway({ code, details }: MemoryError): boolean {
  return code === 'store/unavailable' || code === 'store/closed' || (code === 'store/busy' && 'connections' in details)
}

/** Concerns the server and not one change: the next would fail the same way. */
function isOfAll(error: MemoryError): boolean {
  return !['store/failed', 'input/too-large'].includes(error.code)
}
