import { isList } from '../../domain/interleave.ts'
import type { Database, VisibleScopes } from '../sql/database.ts'
import type { SqlDialect } from '../sql/dialect.ts'
import type { Program, ProgramStep } from '../sql/program.ts'
import { RowDigests } from '../sql/row-digests.ts'
import { batchSteps } from './batch-steps.ts'
import { postgres } from './dialect.ts'
import type { Link } from './link.ts'
import { notHeld } from './not-held.ts'
import type { Transactions } from './transactions.ts'

/** Runs programs against the server: each step is a round trip, each list of steps is one too. */
export class PostgresDatabase implements Database {
  readonly dialect: SqlDialect = postgres
  readonly #transactions: Transactions
  readonly #digests = new RowDigests(postgres)

  constructor(transactions: Transactions) {
    this.#transactions = transactions
  }

  read<Result>(attempt: string, visible: VisibleScopes, program: () => Program<Result>): Promise<Result> {
    return this.#transactions.read(attempt, visible, 'READ COMMITTED', (link) => drive(link, program()))
  }

  snapshot<Result>(attempt: string, visible: VisibleScopes, program: () => Program<Result>): Promise<Result> {
    return this.#transactions.read(attempt, visible, 'REPEATABLE READ', (link) => drive(link, program()))
  }

  write<Result>(attempt: string, visible: VisibleScopes, program: () => Program<Result>): Promise<Result> {
    return this.#transactions.write(attempt, visible, (link) => drive(link, this.#digests.with(program())))
  }
}

export async function drive<Result>(link: Link, program: Program<Result>): Promise<Result> {
  let next = program.next()
  while (next.done !== true) {
    const { value } = next
    const steps = isList(value) ? value : [value]
    const answers = await sendAll(link, steps)
    next = program.next(isList(value) ? answers : answers[0])
  }
  return next.value
}

export async function sendAll(link: Link, steps: readonly ProgramStep[]): Promise<readonly unknown[]> {
  const batch = batchSteps(steps)
  if (steps.every(({ gives }) => gives === 'nothing' || gives === 'held'))
    return batch.steps.map((step) => void link.send(step))
  const answers = await Promise.all(batch.steps.map((step) => link.send(step)))
  if (!(await link.isHeld())) throw notHeld()
  return batch.answers(answers)
}
