import type { ForgetReceipt } from '../domain/forget-receipt.ts'
import { MemoryError } from '../domain/error.ts'
import { quote } from '../domain/refuse.ts'
import { ask } from '../knowledge/ask.ts'
import { openDraft } from '../knowledge/draft.ts'
import { type Doomed, doomedBy, forgetFacts } from '../knowledge/forget.ts'
import { forgetTaught } from '../knowledge/forget-taught.ts'
import { forgetRows } from '../log/forget.ts'
import { forgottenName, rewrittenDigest } from '../log/forgotten.ts'
import type { ErasureCounts, ErasureRow, TaughtFact } from '../ports/erasure-store.ts'
import { type LogPlan, type LogTarget, planLog } from './plan-forgetting.ts'
import type { Parts } from './parts.ts'

/** What to forget. A message may be named with its session, where several have one of its id. */
export type ForgetTarget =
  | { readonly message: string; readonly session?: string }
  | { readonly session: string }
  | { readonly subject: string }
  | { readonly fact: string }

export interface ForgetOptions {
  /** Stays in the tombstone: no place for content. @default 'asked' */
  readonly reason?: string
  /** Forget the sessions that were forked from this one too. Without it, a session with forks is not forgotten. */
  readonly forks?: boolean
  /** Of a subject or a fact: forget the messages that it was learned from too. */
  readonly messages?: boolean
  /** Say what would go, and change nothing. */
  readonly dryRun?: boolean
}

/** What is written down before anything is destroyed, so that another process can finish it. */
interface Order {
  readonly reason: string
  readonly log: LogTarget | null
  readonly knowledge: { readonly fact: string } | { readonly subject: string } | null
  /** Facts that it destroys, and those that rest on what it destroys. */
  readonly facts: readonly string[]
  readonly taught: readonly TaughtFact[]
  readonly sources: readonly string[]
  readonly entities: readonly { readonly scope: string; readonly key: string }[]
}

interface Terms {
  readonly id: string
  readonly scope: string
  readonly at: number
}

const ATTEMPTS_MAX = 8

export async function forget(
  parts: Parts,
  scope: string,
  what: ForgetTarget,
  options: ForgetOptions,
): Promise<ForgetReceipt> {
  if ('subject' in what || 'fact' in what) return forgetKnowledge(parts, scope, what, options)
  const log = 'message' in what ? await findMessage(parts, scope, what) : await findSession(parts, scope, what, options)
  return forgetLog(parts, scope, log, options)
}

export interface LogForgetOptions extends Pick<ForgetOptions, 'reason' | 'dryRun'> {
  /** Whether the pages of the file are overwritten at once, or by who calls `overwritePages` after several. @default 'now' */
  readonly pages?: 'now' | 'later'
}

/** Messages of one session's own, or a whole session, with all that came of them. */
export async function forgetLog(
  parts: Parts,
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
  parts: Parts,
  scope: string,
  what: { readonly subject: string } | { readonly fact: string },
  { reason = 'asked', messages = false, dryRun = false }: ForgetOptions,
): Promise<ForgetReceipt> {
  const { doomed, spoken, learnedFrom } = await lookUp(parts, scope, what)
  const sources = doomed.facts.map((id) => `f:${id}`)
  const { facts: taught } = await parts.store.erasure.taught(scope, sources)
  const entities = [...entitiesOf(taught), ...spoken.map((key) => ({ scope, key }))]
  const order = { reason, log: null, knowledge: what, facts: doomed.facts, taught, sources, entities }
  const terms = { id: parts.log.newId(), scope, at: parts.log.clock.now() }
  const receipt = dryRun ? await preview(parts, terms, order, { doomed }) : await carryOut(parts, terms, order)
  if (!messages || dryRun) return { ...receipt, remaining: learnedFrom.length }
  let whole = receipt
  for (const target of await placesOf(parts, learnedFrom))
    whole = sum(whole, await forgetLog(parts, target.scope, target, { reason, dryRun }))
  return whole
}

interface LookedUp {
  readonly doomed: Doomed
  readonly spoken: readonly string[]
  readonly learnedFrom: readonly { readonly session: string; readonly id: string; readonly scopes: readonly string[] }[]
}

/** What would go, the entities that it speaks of, and the messages that it was learned from. */
function lookUp(
  { knowledge }: Parts,
  scope: string,
  what: { readonly subject: string } | { readonly fact: string },
): Promise<LookedUp> {
  return knowledge.store.read(scope, function* read() {
    const draft = yield* openDraft(knowledge, scope)
    const doomed = yield* doomedBy(draft, what)
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
    return { doomed, spoken: [...spoken], learnedFrom: [...learnedFrom.values()] }
  })
}

async function placesOf(
  { store }: Parts,
  messages: LookedUp['learnedFrom'],
): Promise<readonly (LogTarget & { readonly scope: string; readonly seqs: readonly number[] })[]> {
  const places = new Map<string, { scope: string; session: string; seqs: number[] }>()
  for (const { session, id, scopes } of messages) {
    // Of the own scope only: what an ancestor was told is the ancestor's to forget.
    for (const scope of scopes.slice(0, 1)) {
      const head = await store.log.session(scope, session)
      const row = head === undefined ? undefined : await store.log.message(head, id)
      if (row === undefined) continue
      const key = JSON.stringify([scope, session])
      const place = places.get(key) ?? { scope, session, seqs: [] }
      place.seqs.push(row.seq)
      places.set(key, place)
    }
  }
  return [...places.values()]
}

/** Written down first, then what was learned, then the log and all that is derived from it, then the pages of the file. */
async function carryOut(
  parts: Parts,
  terms: Terms,
  order: Order,
  pages: 'now' | 'later' = 'now',
): Promise<ForgetReceipt> {
  const { id, scope, at } = terms
  parts.forgetting.add(id)
  try {
    await parts.store.erasure.begin({ id, scope, stage: 'content', body: JSON.stringify(order), at })
    return await finish(parts, terms, order, pages)
  } finally {
    parts.forgetting.delete(id)
  }
}

async function finish(
  parts: Parts,
  terms: Terms,
  order: Order,
  pages: 'now' | 'later' = 'now',
): Promise<ForgetReceipt> {
  const { store, knowledge } = parts
  const { scope } = terms
  const known =
    order.knowledge === null
      ? undefined
      : await forgetFacts(knowledge, scope, order.knowledge).catch((error: unknown) => {
          if (MemoryError.is(error, 'knowledge/not-found')) return undefined // done before a crash
          throw error
        })
  const taught = await forgetTaught(knowledge, scope, { ...order, dryRun: false })
  const { counts, plan } = await eraseLog(parts, terms, order, [
    ...order.facts.map((fact) => ({ scope, id: fact })),
    ...order.taught,
  ])
  // Not in the same transaction: a database with row security keeps those of all scopes from a scope's own work.
  const answers = await store.erasure.blankAnswers(terms.id)
  parts.contexts.forget()
  const done = pages === 'now' && (await store.erasure.scrub([terms.id]))
  if (done) await store.erasure.finish(terms.id)
  else if (pages === 'now') parts.runner.nudge()
  const ids = [...(known?.ids ?? []), ...taught.facts.map((fact) => fact.id)]
  return {
    ...headOf(terms, order.reason),
    ...counts,
    answers,
    sessions: plan.sessions.map(({ name }) => name),
    facts: ids.length,
    versions: (known?.versions ?? 0) + taught.versions,
    sources: (known?.sources ?? 0) + taught.sources + counts.sources,
    entities: (known?.entities ?? 0) + counts.entities,
    proposals: (known?.proposals ?? 0) + taught.proposals,
    ids,
    pending: done ? [] : ['pages'],
  }
}

async function eraseLog(
  parts: Parts,
  terms: Terms,
  order: Order,
  facts: readonly { readonly scope: string; readonly id: string }[],
): Promise<{ readonly counts: ErasureCounts; readonly plan: LogPlan }> {
  const { store, log } = parts
  const { id, scope, at } = terms
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const plan: LogPlan =
      order.log === null ? { sessions: [], sources: [], bytes: 0, messages: 0 } : await planLog(parts, scope, order.log)
    const counts = await store.erasure.erase({
      id,
      at,
      reason: order.reason,
      scope,
      sessions: plan.sessions,
      facts,
      sources: [...new Set([...plan.sources, ...order.sources])],
      entities: order.entities,
      amend: (head, { what, rewrite }) =>
        forgetRows(log, head, {
          seqs: what === 'all' ? [] : what,
          at,
          reason: order.reason,
          rewritten: Object.fromEntries(rewrite.map((row) => [row.version, rewrittenDigest(row)])),
        }),
      nameOf: (session, kind, name) => forgottenName({ scope, session, kind, id: name }),
    })
    if (counts !== undefined) return { counts, plan }
  }
  throw new MemoryError(
    'log/conflict',
    `Cannot forget: the session was compacted during each of ${ATTEMPTS_MAX} attempts, expected a quieter moment`,
    { scope, attempts: ATTEMPTS_MAX },
  )
}

/** Goes on with what a process that ended had begun. */
export async function resumeForgetting(parts: Parts, row: ErasureRow): Promise<void> {
  const terms = { id: row.id, scope: row.scope, at: row.at }
  if (row.stage === 'content') {
    await finish(parts, terms, JSON.parse(row.body) as Order)
    return
  }
  if (row.stage === 'answers') await parts.store.erasure.blankAnswers(row.id)
  if (!(await overwritePages(parts)))
    throw new MemoryError('store/busy', 'Cannot overwrite what was forgotten: another process still reads it', {})
}

/** Overwrites what the file still has of all that was forgotten so far. */
export async function overwritePages({ store: { erasure } }: Parts): Promise<boolean> {
  // Read first: what is forgotten meanwhile may come too late for this time.
  const rows = (await erasure.unfinished()).filter(({ stage }) => stage === 'pages')
  const done = rows.length === 0 || (await erasure.scrub(rows.map(({ id }) => id)))
  if (done) for (const { id } of rows) await erasure.finish(id)
  return done
}

async function preview(
  parts: Parts,
  terms: Terms,
  order: Order,
  { plan, doomed }: { readonly plan?: LogPlan; readonly doomed?: Doomed },
): Promise<ForgetReceipt> {
  const taught = await forgetTaught(parts.knowledge, terms.scope, { ...order, dryRun: true })
  const ids = [...(doomed?.facts ?? []), ...taught.facts.map(({ id }) => id)]
  return {
    ...headOf(terms, order.reason),
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
    entities: doomed?.entities.length ?? 0,
  }
}

function headOf({ id, scope, at }: Terms, reason: string): ForgetReceipt {
  const none = { messages: 0, revisions: 0, folds: 0, facts: 0, versions: 0, sources: 0, entities: 0, proposals: 0 }
  const derived = {
    passages: 0,
    terms: 0,
    vectors: 0,
    blobs: 0,
    operations: 0,
    jobs: 0,
    state: 0,
    answers: 0,
    bytes: 0,
  }
  return {
    id,
    scope,
    at: new Date(at).toISOString(),
    reason,
    dryRun: false,
    sessions: [],
    ...none,
    ...derived,
    ids: [],
    remaining: 0,
    pending: [],
  }
}

/** Two receipts as one: counts added, names joined. */
export function sum(a: ForgetReceipt, b: ForgetReceipt): ForgetReceipt {
  const counts = Object.entries(b).flatMap(([name, value]) =>
    typeof value === 'number' ? [[name, value + Number(a[name as keyof ForgetReceipt])]] : [],
  )
  return {
    ...a,
    ...(Object.fromEntries(counts) as object),
    sessions: [...new Set([...a.sessions, ...b.sessions])],
    ids: [...a.ids, ...b.ids],
    pending: [...new Set([...a.pending, ...b.pending])],
  }
}

function entitiesOf(taught: readonly TaughtFact[]): Order['entities'] {
  const found = new Map<string, { scope: string; key: string }>()
  for (const { scope, subject, objectEntity } of taught)
    for (const key of [subject, objectEntity])
      if (key !== null && key !== '') found.set(JSON.stringify([scope, key]), { scope, key })
  return [...found.values()]
}

async function findSession(
  { store }: Parts,
  scope: string,
  { session }: { readonly session: string },
  { forks = false }: ForgetOptions,
): Promise<LogTarget> {
  const [found, ...others] = await store.erasure.family(scope, session)
  if (found === undefined)
    throw new MemoryError(
      'log/not-found',
      `Cannot forget: there is no session ${quote(session)} in ${quote(scope)}, expected the id of one`,
      { session, scope },
    )
  const names = others.map(({ name }) => name)
  if (names.length > 0 && !forks)
    throw new MemoryError(
      'log/has-forks',
      `Cannot forget session ${quote(session)}: ${names.map(quote).join(', ')} share its history, expected forks: true to forget them too`,
      { session, forks: names },
    )
  return { session, seqs: 'all' }
}

/** The session that holds the row: a fork reads messages of the session it came from. */
async function findMessage(
  parts: Parts,
  scope: string,
  { message, session }: { readonly message: string; readonly session?: string },
): Promise<LogTarget> {
  const { store, knowledge } = parts
  const held =
    session === undefined
      ? (await knowledge.store.read(scope, () => ask({ of: 'messages', scopes: [scope], id: message }))).map(
          (row) => row.session,
        )
      : await holderOf(parts, scope, session, message)
  const [owner, ...others] = [...new Set(held)]
  if (owner !== undefined && others.length === 0) {
    const head = await store.log.session(scope, owner)
    const row = head === undefined ? undefined : await store.log.message(head, message)
    if (row !== undefined && row.body !== '') return { session: owner, seqs: [row.seq] }
  }
  const found = others.length > 0 ? `several sessions have one of that id` : 'there is none of that id'
  throw new MemoryError(
    others.length > 0 ? 'input/invalid' : 'log/not-found',
    `Cannot forget message ${quote(message)}: ${found}, expected a message of ${quote(session ?? scope)}${others.length > 0 ? ' and its session' : ''}`,
    { message, session, scope, sessions: held },
  )
}

async function holderOf({ store }: Parts, scope: string, session: string, message: string): Promise<readonly string[]> {
  for (let name: string | undefined = session; name !== undefined;) {
    const head = await store.log.session(scope, name)
    if (head === undefined) return []
    const row = await store.log.message(head, message)
    if (row !== undefined) return [name]
    name = head.parent?.name
  }
  return []
}
