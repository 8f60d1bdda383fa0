import { randomUUID } from 'node:crypto'
import type { VisibleScopes } from '../sql/database.ts'
import { commitFailure, isLockTimeout, isLost, unknownAfterLostConnection } from './errors.ts'
import type { Link } from './link.ts'
import { notHeld } from './not-held.ts'
import { IS_HELD } from './only-if-held.ts'
import type { PoolOptions } from './options.ts'
import type { Pool } from './pool.ts'
import { visibleScopesSetting } from './row-security.ts'

type Body<Result> = (link: Link) => Promise<Result>

/** Nobody asks for the mark of a commit for longer than a call may take; this is ages more. */
const MARKS_KEPT_MS = 3_600_000
const WRITES_PER_SWEEP = 5_000

/**
 * The mark of a commit is a row under the name of the attempt. Who lost the answer takes the lock with this name, which the
 * lost transaction holds until it has ended, one way or the other; then the row is there or it will never be.
 */
const BEGIN = 'BEGIN ISOLATION LEVEL READ COMMITTED'
/** Sets the scopes that a transaction may see. */
export const VISIBLE = `SELECT set_config('daybook.visible_scopes', ?, true)`
const LOCK_NAME = 'pg_advisory_xact_lock(hashtextextended(?, 0))'
/**
 * Changes it, because it must be committed before it is believed: what a server shows after a crash, its standby may not have.
 * Whoever commits after it waits for the standby to have both.
 */
const COMMITTED = `UPDATE commits SET at = at WHERE id = ?`
/** Only where something was written: otherwise there is nothing to look up later. */
const MARK = `INSERT INTO commits (id, at) SELECT ?, extract(epoch FROM now()) * 1000
  WHERE pg_current_xact_id_if_assigned() IS NOT NULL AND ${IS_HELD}`

const SWEEP = `DELETE FROM commits WHERE at < extract(epoch FROM now()) * 1000 - ${MARKS_KEPT_MS}`

/** Runs transactions, again where that is safe, and never longer than allowed. */
export class Transactions {
  readonly #pool: Pool
  /** The first statement of a transaction: which scopes it sees, and the settings that hold until its end. */
  readonly #open: string
  #writes = 0

  constructor(pool: Pool) {
    this.#pool = pool
    this.#open = `${VISIBLE}, ${pool.settings}`
  }

  /** How long a call is tried, and how long it waits for rows. */
  get limits(): Pick<PoolOptions, 'waitMs' | 'lockMs'> {
    return this.#pool.options
  }

  /** Reading again is always safe. */
  read<Result>(attempt: string, visible: VisibleScopes, isolation: Isolation, body: Body<Result>): Promise<Result> {
    return this.#pool.persist(attempt, async () => {
      const link = await this.#pool.take(attempt)
      try {
        void link.say(`BEGIN ISOLATION LEVEL ${isolation} READ ONLY`).catch(() => undefined)
        void link.send({ text: this.#open, values: [visibleScopesSetting(visible)], gives: 'rows' })
        return await body(link)
      } finally {
        // Nobody waits for it: there is nothing to keep.
        void end(link, true)
      }
    })
  }

  /**
   * Durable when it resolves. A commit whose answer was lost is looked up, never guessed; what was not committed runs again.
   * The body throws a MemoryError only before its first change.
   */
  async write<Result>(attempt: string, visible: VisibleScopes, body: Body<Result>): Promise<Result> {
    const name = randomUUID()
    let lost: { readonly result: Result; readonly error: unknown } | undefined
    try {
      return await this.#pool.persist(attempt, async () => {
        const link = await this.#pool.take(attempt)
        let open = true
        try {
          void link.say(BEGIN).catch(() => undefined)
          // The lock is last in the list, so that it waits no longer than the settings before it allow.
          const opened = link.send({
            text: `${this.#open}, ${LOCK_NAME}`,
            values: [visibleScopesSetting(visible), name],
            gives: 'rows',
          })
          if (lost !== undefined) {
            if (!(await isCommitted(link, opened, name, lost.error))) lost = undefined
          }
          const result = lost === undefined ? await body(link) : lost.result
          if (lost === undefined) void link.send({ text: MARK, values: [name], gives: 'changes' })
          await this.#commit(link, (error) => (lost = { result, error }))
          open = false
          if (!(await link.isHeld())) throw notHeld()
          return result
        } finally {
          await end(link, open)
        }
      })
    } catch (error) {
      const unknown = lost as { readonly error: unknown } | undefined
      throw unknown === undefined ? error : unknownAfterLostConnection(attempt, unknown.error)
    } finally {
      // Afterwards, so that the first write of a program need not wait for a second connection.
      if (this.#writes++ % WRITES_PER_SWEEP === 0) this.#sweep()
    }
  }

  async #commit(link: Link, onLost: (error: unknown) => void): Promise<void> {
    const done = await link.say('COMMIT').catch((error: unknown) => {
      const failure = commitFailure(error)
      if (isLost(failure)) onLost(failure)
      throw failure
    })
    // A transaction that failed before is rolled back by its commit, and the server says so.
    if (done !== 'COMMIT') throw link.failure?.error ?? new Error(`the server answered ${done} to COMMIT`)
  }

  /** Old marks go when there is a hand free; if that fails, the next will take them. */
  #sweep(): void {
    const sweep = (link: Link): Promise<unknown> => link.send({ text: SWEEP, values: [], gives: 'changes' })
    this.#pool.once('forget old marks', sweep).catch(() => undefined)
  }
}

/** Waits for the end of the lost transaction. As long as it holds its lock there is no answer: then `lost` is thrown again. */
async function isCommitted(link: Link, opened: Promise<unknown>, name: string, lost: unknown): Promise<boolean> {
  try {
    await opened
    return (await link.send({ text: COMMITTED, values: [name], gives: 'changes' })) === 1
  } catch (error) {
    throw isLockTimeout(error) ? lost : error
  }
}

type Isolation = 'READ COMMITTED' | 'REPEATABLE READ'

/** Leaves the connection outside any transaction, or leaves it to be closed. */
async function end(link: Link, open: boolean): Promise<void> {
  if (!open) return link.release(false)
  // One that says nothing any more would not say that it rolled back either; without us it does.
  if (link.failure !== undefined && isLost(link.failure.error)) return link.release(true)
  const undone = await link.say('ROLLBACK').then(
    () => true,
    () => false,
  )
  link.release(!undone)
}
