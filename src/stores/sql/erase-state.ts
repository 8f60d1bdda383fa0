import { forgottenStateName, forgottenStateNames, readForgottenStateName } from '../../domain/forgotten-state-name.ts'
import type { StatePlace } from '../../ports/state-store.ts'
import { type Program, changeRows, one } from './program.ts'
import { stateStatements as sql, withBlocks } from './state-statements.ts'

/** Deletes a state with its blocks, and stores the hash of its place, if given. Returns how many entries it had. */
export function* eraseState({ scope, session }: StatePlace, hash?: string): Program<number> {
  // The head first: whoever is setting something holds it, and its entries are there once it is free.
  const heads = yield* changeRows(sql.forgetHead, ...withBlocks(scope, session))
  const entries = yield* changeRows(sql.forgetEntries, ...withBlocks(scope, session))
  if (hash !== undefined && heads + entries > 0) yield* addForgotten(scope, hash)
  return entries
}

/** Stores that what is in a place was forgotten again. */
export function* addForgotten(scope: string, hash: string): Program<void> {
  const last = yield* one<{ readonly name: string | null }>(sql.lastForgotten, scope, ...forgottenStateNames(hash))
  const times = readForgottenStateName(last?.name ?? '')?.times ?? 0
  yield* changeRows(sql.addForgotten, scope, forgottenStateName(hash, times + 1))
}
