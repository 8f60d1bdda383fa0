import { isList } from '../../domain/interleave.ts'
import type { Database, VisibleScopes } from '../sql/database.ts'
import type { SqlDialect } from '../sql/dialect.ts'
import type { Program, ProgramStep } from '../sql/program.ts'
import { RowDigests } from '../sql/row-digests.ts'
import { batchSteps } from './batch-steps.ts'
import { postgres } from './dialect.ts'
import type { Link } from './link.ts'
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
    if (isList(value)) next = program.next(await sendAll(link, value))
    else if (value.gives === 'nothing') next = program.next(void link.send(value))
    else next = program.next(await link.send(value))
  }
  return next.value
}

export async function sendAll(link: Link, steps: readonly ProgramStep[]): Promise<readonly unknown[]> {
  const batch = batchSteps(steps)
  if (steps.every(({ gives }) => gives === 'nothing')) return batch.steps.map((step) => void link.send(step))
  return batch.answers(await Promise.all(batch.steps.map((step) => link.send(step))))
}
