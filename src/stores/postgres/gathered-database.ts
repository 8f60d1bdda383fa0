import type { AsyncLocalStorage } from 'node:async_hooks'
import { MemoryError } from '../../domain/error.ts'
import { isList, listOf } from '../../domain/side-by-side.ts'
import type { Database, Sight } from '../sql/database.ts'
import type { SqlDialect } from '../sql/dialect.ts'
import type { Program, Step } from '../sql/program.ts'
import { type PostgresDatabase, sendAll } from './database.ts'
import type { Link } from './link.ts'
import { sightSetting } from './row-security.ts'
import { OPEN, type Transactions } from './transactions.ts'

/** A read that waits for the others of its turn. */
interface Asked {
  readonly sight: string
  readonly program: () => Program<unknown>
  /** The same in a transaction of its own. */
  readonly alone: () => Promise<unknown>
  readonly done: PromiseWithResolvers<unknown>
  isDone: boolean
}

/** Not the fault of a statement: each by itself would meet with the same, after as long a wait. */
const SHARED: ReadonlySet<string> = new Set(['store/busy', 'store/unavailable', 'store/closed'])

/** What waits in one piece of work, for each database that it reads. */
export type Work = Map<Database, Asked[]>
export type Works = AsyncLocalStorage<Work>

/**
 * Reads that one piece of work asks for before it waits for an answer share a connection, a transaction and its round trips,
 * and see one moment; the same statement of several is sent once. Only those of one piece of work, since others should not
 * wait for it: they have connections of their own. Row security is as without: each statement runs under the sight of whoever asked for it.
 */
export class GatheredDatabase implements Database {
  readonly dialect: SqlDialect
  readonly #database: PostgresDatabase
  readonly #transactions: Transactions
  readonly #works: Works

  constructor(database: PostgresDatabase, transactions: Transactions, works: Works) {
    this.dialect = database.dialect
    this.#database = database
    this.#transactions = transactions
    this.#works = works
  }

  read<Result>(attempt: string, sight: Sight, program: () => Program<Result>): Promise<Result> {
    return this.#join(attempt, sight, program, () => this.#database.read(attempt, sight, program))
  }

  snapshot<Result>(attempt: string, sight: Sight, program: () => Program<Result>): Promise<Result> {
    return this.#join(attempt, sight, program, () => this.#database.snapshot(attempt, sight, program))
  }

  write<Result>(attempt: string, sight: Sight, program: () => Program<Result>): Promise<Result> {
    return this.#database.write(attempt, sight, program)
  }

  #join<Result>(
    attempt: string,
    sight: Sight,
    program: () => Program<Result>,
    alone: () => Promise<Result>,
  ): Promise<Result> {
    const work = this.#works.getStore()
    if (work === undefined) return alone()
    const done = Promise.withResolvers<unknown>()
    const waiting = work.get(this) ?? []
    work.set(this, waiting)
    waiting.push({ sight: sightSetting(sight), program, alone, done, isDone: false })
    if (waiting.length === 1) void this.#depart(attempt, sight, waiting)
    return done.promise as Promise<Result>
  }

  /** The connection comes after whatever runs now has come to its end: until then others may join. */
  async #depart(attempt: string, sight: Sight, waiting: Asked[]): Promise<void> {
    let asked: readonly Asked[] = []
    try {
      await this.#transactions.read(attempt, sight, 'REPEATABLE READ', (link) => {
        if (asked.length === 0) asked = waiting.splice(0)
        return answerAll(link, asked, sightSetting(sight))
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
  asked: Step | readonly Step[] | undefined
  answer: unknown
}

/** Runs all to their ends, side by side. Each is told at once how it ended: who needs few steps does not wait for others. */
async function answerAll(link: Link, asked: readonly Asked[], opened: string): Promise<void> {
  let sight = opened
  let running = asked
    .filter(({ isDone }) => !isDone)
    .map((of): Running => ({ of, program: of.program(), asked: undefined, answer: undefined }))
  for (;;) {
    running = running.filter(goOn)
    if (running.length === 0) return
    sight = await answer(link, running, sight)
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
  readonly step: Step
  readonly sight: string
  answer: unknown
}

/** One round trip for what all have asked for. The server runs what is sent in its order, so a sight holds until the next is set. */
async function answer(link: Link, running: readonly Running[], before: string): Promise<string> {
  const wanted = running.map(({ of: { sight }, asked = [] }) =>
    listOf(asked).map((step): Wanted => ({ step, sight, answer: undefined })),
  )
  const bySight = Map.groupBy(wanted.flat(), ({ sight }) => sight)
  // What is set already needs no setting.
  const sights = [...bySight.keys()].toSorted((a, b) => Number(b === before) - Number(a === before))
  let now = before
  await Promise.all(
    sights.map(async (sight) => {
      if (sight !== now) void link.send({ text: OPEN, values: [sight], gives: 'rows' })
      now = sight
      // Nothing is written, so that the order is free: the same statements stand together and become one.
      const same = [...Map.groupBy(bySight.get(sight) ?? [], ({ step }) => step.text).values()].flat()
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
