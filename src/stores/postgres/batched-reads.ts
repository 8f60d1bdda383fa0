import type { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate } from 'node:timers/promises'
import { MemoryError } from '../../domain/error.ts'
import { isList, asList } from '../../domain/interleave.ts'
import type { Database, VisibleScopes } from '../sql/database.ts'
import type { SqlDialect } from '../sql/dialect.ts'
import type { Program, ProgramStep } from '../sql/program.ts'
import { type PostgresDatabase, sendAll } from './database.ts'
import type { Link } from './link.ts'
import { visibleScopesSetting } from './row-security.ts'
import { VISIBLE, type Transactions } from './transactions.ts'

/** A read that waits for the others of its turn. */
interface Asked {
  readonly visible: string
  readonly program: () => Program<unknown>
  /** The same in a transaction of its own. */
  readonly alone: () => Promise<unknown>
  readonly done: PromiseWithResolvers<unknown>
  isDone: boolean
}

/** Not the fault of a statement: each by itself would meet with the same, after as long a wait. */
const SHARED: ReadonlySet<string> = new Set(['store/busy', 'store/unavailable', 'store/closed'])

interface Pending {
  readonly waiting: Asked[]
  /** A transaction is open, or on its way, and takes what waits. */
  isOpen: boolean
}

/** What waits in one piece of work, for each database that it reads. */
export type PendingReads = Map<Database, Pending>
export type PendingReadsStorage = AsyncLocalStorage<PendingReads>

/**
 * Reads of one piece of work share a connection, a transaction and its snapshot as long as they follow each other: it ends when
 * none was asked for within two turns of the event loop, as while a model is waited for, and after a write of the same work.
 * Those that are asked for at once also share round trips, and the same statement of several is sent once. Other work is not
 * kept waiting: it has connections of its own. Row security is as without: each statement runs under the visible scopes of the
 * read that asked for it.
 */
export class BatchedReads implements Database {
  readonly dialect: SqlDialect
  readonly #database: PostgresDatabase
  readonly #transactions: Transactions
  readonly #works: PendingReadsStorage

  constructor(database: PostgresDatabase, transactions: Transactions, works: PendingReadsStorage) {
    this.dialect = database.dialect
    this.#database = database
    this.#transactions = transactions
    this.#works = works
  }

  read<Result>(attempt: string, visible: VisibleScopes, program: () => Program<Result>): Promise<Result> {
    return this.#join(attempt, visible, program, () => this.#database.read(attempt, visible, program))
  }

  snapshot<Result>(attempt: string, visible: VisibleScopes, program: () => Program<Result>): Promise<Result> {
    return this.#join(attempt, visible, program, () => this.#database.snapshot(attempt, visible, program))
  }

  async write<Result>(attempt: string, visible: VisibleScopes, program: () => Program<Result>): Promise<Result> {
    const result = await this.#database.write(attempt, visible, program)
    this.wrote()
    return result
  }

  /** The work has written: what it reads next has to see that, and gets a new snapshot. */
  wrote(): void {
    this.#works.getStore()?.clear()
  }

  #join<Result>(
    attempt: string,
    visible: VisibleScopes,
    program: () => Program<Result>,
    alone: () => Promise<Result>,
  ): Promise<Result> {
    const work = this.#works.getStore()
    if (work === undefined) return alone()
    const done = Promise.withResolvers<unknown>()
    const pending = work.get(this) ?? { waiting: [], isOpen: false }
    work.set(this, pending)
    pending.waiting.push({ visible: visibleScopesSetting(visible), program, alone, done, isDone: false })
    if (!pending.isOpen) void this.#depart(attempt, visible, pending)
    return done.promise as Promise<Result>
  }

  /** The connection comes after whatever runs now has come to its end: until then others may join. */
  async #depart(attempt: string, visible: VisibleScopes, pending: Pending): Promise<void> {
    let asked: readonly Asked[] = []
    const next = (): readonly Asked[] => [...asked.filter(({ isDone }) => !isDone), ...pending.waiting.splice(0)]
    pending.isOpen = true
    try {
      await this.#transactions.read(attempt, visible, 'REPEATABLE READ', async (link) => {
        let setting = visibleScopesSetting(visible)
        for (asked = next(); asked.length > 0; asked = next()) {
          setting = await answerAll(link, asked, setting)
          // Work that lets others have a turn between two of its pages asks for the next one turn later.
          for (let turn = 0; turn < 2 && pending.waiting.length === 0; turn++) await setImmediate()
        }
        pending.isOpen = false
      })
    } catch (error) {
      pending.isOpen = false
      asked = next()
      const isShared = asked.length === 1 || (MemoryError.is(error) && SHARED.has(error.code))
      for (const { alone, done } of asked) {
        if (isShared) done.reject(error)
        else done.resolve(alone())
      }
    }
  }
}

interface Running {
  readonly of: Asked
  readonly program: Program<unknown>
  /** What it asked for last, if anything. */
  asked: ProgramStep | readonly ProgramStep[] | undefined
  answer: unknown
}

/** Runs all to their ends, side by side; each gets its result as soon as it has one. Returns the visible scopes that are set last. */
async function answerAll(link: Link, asked: readonly Asked[], opened: string): Promise<string> {
  let visible = opened
  let running = asked
    .filter(({ isDone }) => !isDone)
    .map((of): Running => ({ of, program: of.program(), asked: undefined, answer: undefined }))
  for (;;) {
    running = running.filter(goOn)
    if (running.length === 0) return visible
    visible = await answer(link, running, visible)
  }
}

/** Whether it has asked for something more. */
function goOn(one: Running): boolean {
  const { of, program } = one
  try {
    const next = program.next(one.answer)
    if (next.done !== true) {
      one.asked = next.value
      return true
    }
    of.done.resolve(next.value)
  } catch (error) {
    of.done.reject(error)
  }
  of.isDone = true
  return false
}

interface Wanted {
  readonly step: ProgramStep
  readonly visible: string
  answer: unknown
}

/** One round trip for what all have asked for. The server runs what is sent in its order, so a visible holds until the next is set. */
async function answer(link: Link, running: readonly Running[], before: string): Promise<string> {
  const wanted = running.map(({ of: { visible }, asked = [] }) =>
    asList(asked).map((step): Wanted => ({ step, visible, answer: undefined })),
  )
  const byVisible = Map.groupBy(wanted.flat(), ({ visible }) => visible)
  // What is set already needs no setting.
  const settings = [...byVisible.keys()].toSorted((a, b) => Number(b === before) - Number(a === before))
  let now = before
  await Promise.all(
    settings.map(async (visible) => {
      if (visible !== now) void link.send({ text: VISIBLE, values: [visible], gives: 'rows' })
      now = visible
      // Nothing is written, so that the order is free: the same statements stand together and become one.
      const same = [...Map.groupBy(byVisible.get(visible) ?? [], ({ step }) => step.text).values()].flat()
      const answers = await sendAll(
        link,
        same.map(({ step }) => step),
      )
      for (const [index, one] of same.entries()) one.answer = answers[index]
    }),
  )
  for (const [index, one] of running.entries()) {
    const answers = wanted[index]?.map((each) => each.answer) ?? []
    one.answer = one.asked !== undefined && isList(one.asked) ? answers : answers[0]
  }
  return now
}
