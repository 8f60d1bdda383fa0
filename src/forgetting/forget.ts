import { blockPlace } from '../domain/block-place.ts'
import { MemoryError } from '../domain/error.ts'
import { quote } from '../domain/refuse.ts'
import type { ForgetOptions, ForgetTarget } from '../api/facts.ts'
import { recordPlace } from '../domain/record-place.ts'
import type { ForgetReceipt } from '../domain/forget-receipt.ts'
import { ask } from '../knowledge/ask.ts'
import { openEdit } from '../knowledge/knowledge-edit.ts'
import { type FactsToForget, factsToForget } from '../knowledge/forget.ts'
import { forgetLearned } from '../knowledge/forget-learned.ts'
import { type ForgetOrder, type ForgetRequest, carryOut, entitiesOf, stateOwner } from './carry-out.ts'
import { emptyReceipt, sumReceipts } from './receipt.ts'
import { findMessage, findSession, hasOnlyState } from './find-target.ts'
import type { ForgettingWiring } from './wiring.ts'
import { type LogPlan, type LogTarget, planLog } from './plan.ts'

export async function forget(
  parts: ForgettingWiring,
  scope: string,
  what: ForgetTarget,
  options: ForgetOptions,
): Promise<ForgetReceipt> {
  if ('subject' in what || 'fact' in what) return forgetKnowledge(parts, scope, what, options)
  if ('records' in what) return forgetRecords(parts, scope, what.records, options)
  if ('block' in what) return forgetBlock(parts, scope, what, options)
  if ('message' in what) return forgetLog(parts, scope, await findMessage(parts, scope, what), options)
  if (await hasOnlyState(parts, scope, what.session)) return forgetState(parts, scope, what.session, options)
  return forgetLog(parts, scope, await findSession(parts, scope, what, options), options)
}

/** A block with all its versions. */
async function forgetBlock(
  parts: ForgettingWiring,
  scope: string,
  { block, session = '' }: { readonly block: string; readonly session?: string },
  options: ForgetOptions,
): Promise<ForgetReceipt> {
  const place = blockPlace(session, block)
  if ((await parts.store.state.count({ scope, session: place })) === 0)
    throw new MemoryError(
      'state/not-found',
      `Cannot forget: there is no block ${quote(block)} in ${quote(session === '' ? scope : session)}, expected the name of one`,
      { block, scope, session },
    )
  return forgetState(parts, scope, place, options)
}

/** A collection of records. */
async function forgetRecords(
  parts: ForgettingWiring,
  scope: string,
  collection: string,
  options: ForgetOptions,
): Promise<ForgetReceipt> {
  const place = recordPlace(scope, collection)
  if ((await parts.store.state.count(place)) === 0)
    throw new MemoryError(
      'records/not-found',
      `Cannot forget: ${quote(scope)} has no records in ${quote(collection)}, expected a collection`,
      { scope, collection },
    )
  return { ...(await forgetState(parts, scope, place.session, options)), sessions: [] }
}

/** The state of a session that has no message, a block, or a collection of records. */
async function forgetState(
  parts: ForgettingWiring,
  scope: string,
  session: string,
  { reason = 'asked', dryRun = false }: ForgetOptions,
): Promise<ForgetReceipt> {
  const terms = { id: parts.log.newId(), scope, at: parts.log.clock.now() }
  const order = { reason, log: null, state: session, knowledge: null, facts: [], taught: [], sources: [], entities: [] }
  if (!dryRun) return carryOut(parts, terms, order)
  const state = await parts.store.state.count({ scope, session })
  return { ...emptyReceipt(terms, reason), dryRun: true, sessions: stateOwner(session), state }
}

export interface LogForgetOptions extends Pick<ForgetOptions, 'reason' | 'dryRun'> {
  /** Whether the pages of the file are overwritten at once, or by who calls `overwritePages` after several. @default 'now' */
  readonly pages?: 'now' | 'later'
}

/** Messages of one session's own, or a whole session, with all that came of them. */
export async function forgetLog(
  parts: ForgettingWiring,
  scope: string,
  log: LogTarget,
  { reason = 'asked', dryRun = false, pages = 'now' }: LogForgetOptions,
): Promise<ForgetReceipt> {
  const plan = await planLog(parts, scope, log)
  const { facts: taught, sources } = await parts.store.erasure.taught(scope, plan.sources)
  const order = { reason, log, knowledge: null, facts: [], taught, sources, entities: entitiesOf(taught) }
  const terms = { id: parts.log.newId(), scope, at: parts.log.clock.now() }
  return dryRun ? preview(parts, terms, order, { plan }) : carryOut(parts, terms, order, pages)
}

async function forgetKnowledge(
  parts: ForgettingWiring,
  scope: string,
  what: { readonly subject: string } | { readonly fact: string },
  { reason = 'asked', messages = false, dryRun = false }: ForgetOptions,
): Promise<ForgetReceipt> {
  const { doomed, entities: known, spoken, learnedFrom } = await lookUp(parts, scope, what)
  const sources = doomed.facts.map((id) => `f:${id}`)
  const { facts: taught } = await parts.store.erasure.taught(scope, sources)
  const entities = [...entitiesOf(taught), ...spoken.map((key) => ({ scope, key }))]
  const order = { reason, log: null, knowledge: what, facts: doomed.facts, taught, sources, entities }
  const terms = { id: parts.log.newId(), scope, at: parts.log.clock.now() }
  const counted = dryRun
    ? await preview(parts, terms, order, { doomed, entities: known })
    : await carryOut(parts, terms, order)
  const receipt = { ...counted, found: doomed.facts.length + known > 0 }
  if (!messages || dryRun) return { ...receipt, remaining: learnedFrom.length }
  let whole = receipt
  for (const target of await placesOf(parts, learnedFrom))
    whole = sumReceipts(whole, await forgetLog(parts, target.scope, target, { reason, dryRun }))
  return whole
}

interface LookedUp {
  readonly doomed: FactsToForget
  /** How many of its entities exist. */
  readonly entities: number
  readonly spoken: readonly string[]
  readonly learnedFrom: readonly { readonly session: string; readonly id: string; readonly scopes: readonly string[] }[]
}

/** What would go, the entities that it speaks of, and the messages that it was learned from. */
function lookUp(
  { knowledge }: ForgettingWiring,
  scope: string,
  what: { readonly subject: string } | { readonly fact: string },
): Promise<LookedUp> {
  return knowledge.store.read(scope, function* read() {
    const draft = yield* openEdit(knowledge, scope)
    const doomed = yield* factsToForget(draft, what)
    const { entities } = yield* ask({ of: 'weight', scope, ...doomed })
    const spoken = new Set<string>(doomed.entities)
    const learnedFrom = new Map<string, LookedUp['learnedFrom'][number]>()
    for (const fact of doomed.facts) {
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
    return { doomed, entities, spoken: [...spoken], learnedFrom: [...learnedFrom.values()] }
  })
}

async function preview(
  parts: ForgettingWiring,
  terms: ForgetRequest,
  order: ForgetOrder,
  {
    plan,
    doomed,
    entities = 0,
  }: { readonly plan?: LogPlan; readonly doomed?: FactsToForget; readonly entities?: number },
): Promise<ForgetReceipt> {
  const taught = await forgetLearned(parts.knowledge, terms.scope, { ...order, dryRun: true })
  const ids = [...(doomed?.facts ?? []), ...taught.facts.map(({ id }) => id)]
  return {
    ...emptyReceipt(terms, order.reason),
    dryRun: true,
    sessions: plan?.sessions.map(({ name }) => name) ?? [],
    messages: plan?.messages ?? 0,
    folds: plan?.sessions.reduce((all, { rewrite }) => all + rewrite.length, 0) ?? 0,
    bytes: plan?.bytes ?? 0,
    facts: ids.length,
    ids,
    versions: taught.versions,
    sources: taught.sources,
    proposals: taught.proposals,
    entities,
  }
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
