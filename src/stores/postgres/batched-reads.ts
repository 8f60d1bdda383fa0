import type { AsyncLocalStorage } from 'node:async_hooks'
import { MemoryError } from '../../domain/error.ts'
import { isList, asList } from '../../domain/interleave.ts'
import type { Database, VisibleScopes } from '../sql/database.ts'
import type { SqlDialect } from '../sql/dialect.ts'
import type { Program, ProgramStep } from '../sql/program.ts'
import { type PostgresDatabase, sendAll } from './database.ts'
import type { Link } from './link.ts'
import { visibleScopesSetting } from './row-security.ts'
import { OPEN, type Transactions } from './transactions.ts'

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

/** What waits in one piece of work, for each database that it reads. */
export type PendingReads = Map<Database, Asked[]>
export type PendingReadsStorage = AsyncLocalStorage<PendingReads>

/**
 * Reads that one piece of work asks for before it waits for an answer share a connection, a transaction and its round trips,
 * and see one moment; the same statement of several is sent once. Only those of one piece of work, since others should not
 * wait for it: they have connections of their own. Row security is as without: each statement runs under the visible of whoever asked for it.
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

  write<Result>(attempt: string, visible: VisibleScopes, program: () => Program<Result>): Promise<Result> {
    return this.#database.write(attempt, visible, program)
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
    const waiting = work.get(this) ?? []
    work.set(this, waiting)
    waiting.push({ visible: visibleScopesSetting(visible), program, alone, done, isDone: false })
    if (waiting.length === 1) void this.#depart(attempt, visible, waiting)
    return done.promise as Promise<Result>
  }

  /** The connection comes after whatever runs now has come to its end: until then others may join. */
  async #depart(attempt: string, visible: VisibleScopes, waiting: Asked[]): Promise<void> {
    let asked: readonly Asked[] = []
    try {
      await this.#transactions.read(attempt, visible, 'REPEATABLE READ', (link) => {
        if (asked.length === 0) asked = waiting.splice(0)
        return answerAll(link, asked, visibleScopesSetting(visible))
      })
    } catch (error) {
      if (asked.length === 0) asked = waiting.splice(0)
      const isShared = asked.length === 1 || (MemoryError.is(error) && SHARED.has(error.code))
      for (const { alone, done, isDone } of asked) {
        if (isDone) continue
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

/** Runs all to their ends, side by side. Each is told at once how it ended: who needs few steps does not wait for others. */
async function answerAll(link: Link, asked: readonly Asked[], opened: string): Promise<void> {
  let visible = opened
  let running = asked
    .filter(({ isDone }) => !isDone)
    .map((of): Running => ({ of, program: of.program(), asked: undefined, answer: undefined }))
  for (;;) {
    running = running.filter(goOn)
    if (running.length === 0) return
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
      if (visible !== now) void link.send({ text: OPEN, values: [visible], gives: 'rows' })
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
