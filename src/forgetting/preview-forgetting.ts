import type { ForgetReceipt } from '../domain/forget-receipt.ts'
import type { FactsToForget } from '../knowledge/forget.ts'
import { forgetLearned } from '../knowledge/forget-learned.ts'
import type { Weight } from '../ports/knowledge-store.ts'
import type { ForgetOrder, ForgetRequest } from './carry-out.ts'
import type { LogPlan } from './plan.ts'
import { emptyReceipt } from './receipt.ts'
import type { ForgettingWiring } from './wiring.ts'

/** What would be destroyed. Changes nothing. */
export async function previewForgetting(
  parts: ForgettingWiring,
  request: ForgetRequest,
  order: ForgetOrder,
  {
    plan,
    toDestroy,
    weight,
  }: { readonly plan?: LogPlan; readonly toDestroy?: FactsToForget; readonly weight?: Weight },
): Promise<ForgetReceipt> {
  const taught = await forgetLearned(parts.knowledge, request.scope, { ...order, dryRun: true })
  const ids = [...(toDestroy?.facts ?? []), ...taught.facts.map(({ id }) => id)]
  return {
    ...emptyReceipt(request, order.reason),
    dryRun: true,
    sessions: plan?.sessions.map(({ name }) => name) ?? [],
    messages: plan?.messages ?? 0,
    folds: plan?.sessions.reduce((all, { rewrite }) => all + rewrite.length, 0) ?? 0,
    bytes: plan?.bytes ?? 0,
    facts: ids.length,
    ids,
    versions: taught.versions + (weight?.versions ?? 0),
    sources: taught.sources + (weight?.sources ?? 0),
    proposals: taught.proposals + (weight?.proposals ?? 0),
    entities: weight?.entities ?? 0,
  }
}
