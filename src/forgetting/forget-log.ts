import type { ForgetReceipt } from '../domain/forget-receipt.ts'
import { carryOut, entitiesOf } from './carry-out.ts'
import type { PagedForgetOptions } from './paged-forget-options.ts'
import { type LogTarget, planLog } from './plan.ts'
import { previewForgetting } from './preview-forgetting.ts'
import type { ForgettingWiring } from './wiring.ts'

/** Messages of one session's own, or a whole session, with all that came of them. */
export async function forgetLog(
  parts: ForgettingWiring,
  scope: string,
  log: LogTarget,
  { reason = 'asked', dryRun = false, pages = 'now' }: PagedForgetOptions,
): Promise<ForgetReceipt> {
  const plan = await planLog(parts, scope, log)
  const { facts: taught, sources } = await parts.store.erasure.taught(scope, plan.sources)
  const order = { reason, log, knowledge: null, facts: [], taught, sources, entities: entitiesOf(taught) }
  const request = { id: parts.log.newId(), scope, at: parts.log.clock.now() }
  return dryRun ? previewForgetting(parts, request, order, { plan }) : carryOut(parts, request, order, pages)
}
