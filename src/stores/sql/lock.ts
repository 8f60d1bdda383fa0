import type { Database } from './database.ts'
import { type Program, all } from './program.ts'

/** To be taken before anything is read that the decision rests on: afterwards, nobody else decides about the same until the transaction ends. */
export function* lock({ dialect }: Pick<Database, 'dialect'>, ...name: readonly string[]): Program<void> {
  if (dialect.lock !== undefined) yield* all(dialect.lock, JSON.stringify(name))
}
