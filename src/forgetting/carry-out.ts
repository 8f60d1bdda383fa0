import { ownerOf } from '../domain/block-place.ts'
import { isRecordPlace } from '../domain/record-place.ts'
import { MemoryError } from '../domain/error.ts'
import type { ForgetReceipt } from '../domain/forget-receipt.ts'
import { type KnowledgeTarget, forgetFacts } from '../knowledge/forget.ts'
import { type ForgottenFacts, forgetLearned } from '../knowledge/forget-learned.ts'
import { forgetRows } from '../log/forget.ts'
import { forgottenName, rewrittenDigest } from '../log/forgotten.ts'
import type { ErasureCounts, ErasureRow, ErasureStore, LearnedFact } from '../ports/erasure-store.ts'
import { emptyReceipt } from './receipt.ts'
import type { ForgettingWiring } from './wiring.ts'
import { renewKeys, waitsForKeys } from './renew-keys.ts'
import { type LogPlan, type LogTarget, planLog } from './plan.ts'

const ATTEMPTS_MAX = 8

/** What is written down before anything is destroyed, so that another process can finish it. */
export interface ForgetOrder {
  readonly reason: string
  readonly log: LogTarget | null
  /** A session that has state and no messages, or a block: its state goes. */
  readonly state?: string
  readonly knowledge: KnowledgeTarget | null
  /** Facts that it destroys, and those that rest on what it destroys. */
  readonly facts: readonly string[]
  readonly taught: readonly LearnedFact[]
  readonly sources: readonly string[]
  readonly entities: readonly { readonly scope: string; readonly key: string }[]
}

export interface ForgetRequest {
  readonly id: string
  readonly scope: string
  readonly at: number
}

/** Written down first, then what was learned, then the log and all that is derived from it, then the pages of the file. */
export async function carryOut(
  parts: ForgettingWiring,
  request: ForgetRequest,
  order: ForgetOrder,
  pages: 'now' | 'later' = 'now',
): Promise<ForgetReceipt> {
  const { id, scope, at } = request
  parts.forgetting.add(id)
  try {
    const { erasure } = parts.store
    await withRoom(erasure, () => erasure.begin({ id, scope, stage: 'content', body: JSON.stringify(order), at }))
    return await withRoom(erasure, () => finishAlone(parts, request, order, pages))
  } finally {
    parts.forgetting.delete(id)
  }
}

/** On a full disk, releases what was kept for this and tries again. What was done before is found done. */
async function withRoom<Result>(erasure: ErasureStore, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!MemoryError.is(error, 'store/full') || !(await erasure.makeRoom())) throw error
    return work()
  }
}

/** Without room for a copy of the file, its old pages are overwritten later. */
async function isScrubbed(erasure: ErasureStore, ids: readonly string[]): Promise<boolean> {
  try {
    return await erasure.scrub(ids)
  } catch (error) {
    if (MemoryError.is(error, 'store/full')) return false
    throw error
  }
}

/** While no context is recorded: a record of one that was built before could bring back what is forgotten. */
async function finishAlone(
  parts: ForgettingWiring,
  request: ForgetRequest,
  order: ForgetOrder,
  pages: 'now' | 'later' = 'now',
): Promise<ForgetReceipt> {
  const release = await parts.contexts.memory?.kept.hold()
  try {
    return await finish(parts, request, order, pages)
  } finally {
    release?.()
  }
}

async function finish(
  parts: ForgettingWiring,
  request: ForgetRequest,
  order: ForgetOrder,
  pages: 'now' | 'later' = 'now',
): Promise<ForgetReceipt> {
  const { store, knowledge } = parts
  const { scope } = request
  const known =
    order.knowledge === null
      ? undefined
      : await forgetFacts(knowledge, scope, order.knowledge).catch((error: unknown) => {
          if (MemoryError.is(error, 'knowledge/not-found')) return undefined // done before a crash
          throw error
        })
  // Before the records of contexts that may show it.
  const state = order.state === undefined ? 0 : await forgetStateAt(parts, scope, order.state)
  const turn = JSON.stringify([scope, order.log?.session ?? null])
  const { counts, plan, taught } = await parts.queues.run(turn, () => eraseLog(parts, request, order))
  // Not in the same transaction: a database with row security keeps those of all scopes from a scope's own work.
  const answers = await store.erasure.blankAnswers(request.id)
  parts.contexts.memory?.forget()
  const needsKeys = counts.keys > 0 && order.log?.seqs !== 'all'
  const isKeyed = !needsKeys || (pages === 'now' && (await areKeysRenewed(parts, request)))
  // After the keys: what is sealed again leaves old pages too.
  const done = isKeyed && pages === 'now' && (await isScrubbed(store.erasure, [request.id]))
  if (done) await store.erasure.finish(request.id)
  else if (pages === 'now') parts.runner.nudge()
  const ids = [...(known?.ids ?? []), ...taught.facts.map((fact) => fact.id)]
  return {
    ...emptyReceipt(request, order.reason),
    ...counts,
    state: counts.state + state,
    answers,
    keys: isKeyed ? counts.keys : 0,
    sessions: [...plan.sessions.map(({ name }) => name), ...(order.state === undefined ? [] : stateOwner(order.state))],
    facts: ids.length,
    versions: (known?.versions ?? 0) + taught.versions,
    sources: (known?.sources ?? 0) + taught.sources + counts.sources,
    entities: (known?.entities ?? 0) + counts.entities,
    proposals: (known?.proposals ?? 0) + taught.proposals,
    ids,
    pending: done ? [] : isKeyed ? ['pages'] : ['keys', 'pages'],
  }
}

function forgetStateAt({ store }: ForgettingWiring, scope: string, session: string): Promise<number> {
  return store.state.forget({ scope, session }, forgottenName({ scope, session, kind: 'state', id: '' }))
}

/** The session in which a state or a block is forgotten; none for a block of the scope or a collection of records. */
export function stateOwner(place: string): readonly string[] {
  const session = isRecordPlace(place) ? '' : ownerOf(place)
  return session === '' ? [] : [session]
}

interface Erased {
  readonly counts: ErasureCounts
  readonly plan: LogPlan
  readonly taught: ForgottenFacts
}

const NOTHING: LogPlan = { sessions: [], sources: [], bytes: 0, messages: 0, streamed: [] }

async function eraseLog(parts: ForgettingWiring, request: ForgetRequest, order: ForgetOrder): Promise<Erased> {
  const { store, log, knowledge } = parts
  const { id, scope, at } = request
  const [sources, taught, entities] = [new Set(order.sources), [...order.taught], [...order.entities]]
  let pieces = 0
  let gone: ForgottenFacts = { facts: [], versions: 0, sources: 0, proposals: 0 }
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const plan: LogPlan = order.log === null ? NOTHING : await planLog(parts, scope, order.log)
    if (attempt > 0) {
      // Somebody may have learned from it since the order was written down.
      const since = await store.erasure.taught(scope, [...new Set([...plan.sources, ...order.sources])])
      for (const source of since.sources) sources.add(source)
      taught.push(...since.facts)
      entities.push(...entitiesOf(since.facts))
    }
    const lesson = { sources: [...sources], taught: without(taught, gone.facts), dryRun: false }
    gone = sumForgotten(gone, await forgetLearned(knowledge, scope, lesson))
    // Before the rows that say which they are: a crash in between must leave none behind.
    for (const session of plan.streamed) pieces += await forgetStateAt(parts, scope, session)
    const counts = await store.erasure.erase({
      id,
      at,
      reason: order.reason,
      scope,
      sessions: plan.sessions,
      facts: [...order.facts.map((fact) => ({ scope, id: fact })), ...taught],
      sources: [...new Set([...plan.sources, ...sources])],
      entities,
      amend: (head, { what, rewrite }) =>
        forgetRows(log, head, {
          seqs: what === 'all' ? [] : what,
          at,
          reason: order.reason,
          rewritten: Object.fromEntries(rewrite.map((row) => [row.version, rewrittenDigest(row)])),
        }),
      nameOf: (session, kind, name) => forgottenName({ scope, session, kind, id: name }),
    })
    if (counts === undefined) continue
    // A stream may have stored more until its message was gone.
    for (const session of plan.streamed) pieces += await forgetStateAt(parts, scope, session)
    return { counts: { ...counts, state: counts.state + pieces }, plan, taught: gone }
  }
  throw new MemoryError(
    'log/conflict',
    `Cannot forget: the session was changed during each of ${ATTEMPTS_MAX} attempts, try again when fewer others write`,
    { scope, attempts: ATTEMPTS_MAX },
  )
}

/** What an attempt has destroyed is not counted by the next. */
function without(taught: readonly LearnedFact[], gone: ForgottenFacts['facts']): readonly LearnedFact[] {
  const names = new Set(gone.map((fact) => JSON.stringify([fact.scope, fact.id])))
  return taught.filter((fact) => !names.has(JSON.stringify([fact.scope, fact.id])))
}

function sumForgotten(a: ForgottenFacts, b: ForgottenFacts): ForgottenFacts {
  return {
    facts: [...a.facts, ...b.facts],
    versions: a.versions + b.versions,
    sources: a.sources + b.sources,
    proposals: a.proposals + b.proposals,
  }
}

/** The entities that facts speak of, each once. */
export function entitiesOf(taught: readonly LearnedFact[]): ForgetOrder['entities'] {
  const found = new Map<string, { scope: string; key: string }>()
  for (const { scope, subject, objectEntity } of taught)
    for (const key of [subject, objectEntity])
      if (key !== null && key !== '') found.set(JSON.stringify([scope, key]), { scope, key })
  return [...found.values()]
}

/** Finishes what a process that ended had begun. */
export async function resumeForgetting(parts: ForgettingWiring, row: ErasureRow): Promise<void> {
  const request = { id: row.id, scope: row.scope, at: row.at }
  if (row.stage === 'content') {
    await finishAlone(parts, request, JSON.parse(row.body) as ForgetOrder)
    return
  }
  if (row.stage === 'answers') await parts.store.erasure.blankAnswers(row.id)
  const obstacle = await renewKeys(parts, row.scope)
  if (!(await overwritePages(parts)))
    throw new MemoryError(
      'store/busy',
      'Cannot overwrite what was forgotten: another process still reads it, or this role may not vacuum the tables',
      {},
    )
  if (obstacle !== undefined && (await waitsForKeys(parts, row.id))) throw obstacle
}

/** What was asked for is gone from the memory, whatever stands in the way of its keys: the job tries again, and says what it is. */
async function areKeysRenewed(parts: ForgettingWiring, { id, scope }: ForgetRequest): Promise<boolean> {
  await renewKeys(parts, scope)
  return !(await waitsForKeys(parts, id))
}

/** Overwrites what the file still has of all that was forgotten so far. */
export async function overwritePages(parts: ForgettingWiring): Promise<boolean> {
  const { erasure } = parts.store
  // Read first: what is forgotten meanwhile may come too late for this time.
  const rows = (await erasure.unfinished()).filter(({ stage }) => stage === 'pages')
  const done =
    rows.length === 0 ||
    (await isScrubbed(
      erasure,
      rows.map(({ id }) => id),
    ))
  if (done) for (const { id } of rows) await erasure.finish(id)
  return done
}
