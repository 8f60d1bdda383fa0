import type { ForgetReceipt } from '../domain/forget-receipt.ts'
import { ask } from '../knowledge/ask.ts'
import { type FactsToForget, type KnowledgeTarget, factsToForget } from '../knowledge/forget.ts'
import { openEdit } from '../knowledge/knowledge-edit.ts'
import type { Weight } from '../ports/knowledge-store.ts'
import { carryOut, entitiesOf } from './carry-out.ts'
import { forgetLog } from './forget-log.ts'
import type { PagedForgetOptions } from './paged-forget-options.ts'
import type { LogTarget } from './plan.ts'
import { previewForgetting } from './preview-forgetting.ts'
import { sumReceipts } from './receipt.ts'
import type { ForgettingWiring } from './wiring.ts'

/** A fact, or everything about somebody or something. */
export async function forgetKnowledge(
  parts: ForgettingWiring,
  scope: string,
  what: KnowledgeTarget,
  { reason = 'asked', messages = false, dryRun = false, pages = 'now' }: PagedForgetOptions,
): Promise<ForgetReceipt> {
  const { toDestroy, weight, spoken, learnedFrom } = await lookUp(parts, scope, what)
  const sources = toDestroy.facts.map((id) => `f:${id}`)
  const { facts: taught } = await parts.store.erasure.taught(scope, sources)
  const entities = [...entitiesOf(taught), ...spoken.map((key) => ({ scope, key }))]
  const order = { reason, log: null, knowledge: what, facts: toDestroy.facts, taught, sources, entities }
  const head = { id: parts.log.newId(), scope, at: parts.log.clock.now() }
  const counted = dryRun
    ? await previewForgetting(parts, head, order, { toDestroy, weight })
    : await carryOut(parts, head, order, pages)
  const receipt = { ...counted, found: toDestroy.facts.length + weight.entities > 0 }
  if (!messages || dryRun) return { ...receipt, remaining: learnedFrom.length }
  let whole = receipt
  for (const target of await placesOf(parts, learnedFrom))
    whole = sumReceipts(whole, await forgetLog(parts, target.scope, target, { reason, dryRun }))
  return whole
}

interface LookedUp {
  readonly toDestroy: FactsToForget
  /** What the store has of it. */
  readonly weight: Weight
  readonly spoken: readonly string[]
  readonly learnedFrom: readonly { readonly session: string; readonly id: string; readonly scopes: readonly string[] }[]
}

/** What would go, the entities that it speaks of, and the messages that it was learned from. */
function lookUp({ knowledge }: ForgettingWiring, scope: string, what: KnowledgeTarget): Promise<LookedUp> {
  return knowledge.store.read(scope, function* read() {
    const draft = yield* openEdit(knowledge, scope)
    const toDestroy = yield* factsToForget(draft, what)
    const weight = yield* ask({ of: 'weight', scope, ...toDestroy })
    const spoken = new Set<string>(toDestroy.entities)
    const learnedFrom = new Map<string, LookedUp['learnedFrom'][number]>()
    for (const fact of toDestroy.facts) {
      for (const { subject, objectEntity } of yield* ask({
        of: 'history',
        scope,
        fact,
        limit: Number.MAX_SAFE_INTEGER,
      }))
        for (const key of [subject, objectEntity]) if (key !== null && key !== '') spoken.add(key)
      const [found] = yield* ask({ of: 'sources', facts: [{ scope, id: fact }], limit: Number.MAX_SAFE_INTEGER })
      for (const { source } of found?.rows ?? []) {
        if (!source.startsWith('m:')) continue
        const [session, id] = JSON.parse(source.slice(2)) as [string, string]
        learnedFrom.set(source, { session, id, scopes: draft.chain })
      }
    }
    return { toDestroy, weight, spoken: [...spoken], learnedFrom: [...learnedFrom.values()] }
  })
}

async function placesOf(
  { store }: ForgettingWiring,
  messages: LookedUp['learnedFrom'],
): Promise<readonly (LogTarget & { readonly scope: string; readonly seqs: readonly number[] })[]> {
  const places = new Map<string, { scope: string; session: string; key: number; seqs: number[] }>()
  for (const { session, id, scopes } of messages) {
    // Of the own scope only: what an ancestor was told is the ancestor's to forget.
    for (const scope of scopes.slice(0, 1)) {
      const head = await store.log.session(scope, session)
      const row = head === undefined ? undefined : await store.log.message(head, id)
      if (head === undefined || row === undefined) continue
      const name = JSON.stringify([scope, session])
      const place = places.get(name) ?? { scope, session, key: head.key, seqs: [] }
      place.seqs.push(row.seq)
      places.set(name, place)
    }
  }
  return [...places.values()]
}
