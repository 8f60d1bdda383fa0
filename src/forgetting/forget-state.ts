import type { ForgetReceipt } from '../domain/forget-receipt.ts'
import { carryOut, stateOwner } from './carry-out.ts'
import type { PagedForgetOptions } from './paged-forget-options.ts'
import { emptyReceipt } from './receipt.ts'
import type { ForgettingWiring } from './wiring.ts'

/** The state of a session that has no message, a block, or a collection of records. */
export async function forgetState(
  parts: ForgettingWiring,
  scope: string,
  session: string,
  { reason = 'asked', dryRun = false, pages = 'now' }: PagedForgetOptions,
): Promise<ForgetReceipt> {
  const request = { id: parts.log.newId(), scope, at: parts.log.clock.now() }
  const order = { reason, log: null, state: session, knowledge: null, facts: [], taught: [], sources: [], entities: [] }
  if (!dryRun) return carryOut(parts, request, order, pages)
  const state = await parts.store.state.count({ scope, session })
  return { ...emptyReceipt(request, reason), dryRun: true, sessions: stateOwner(session), state }
}
