import { rootOf } from '../../domain/scope-path.ts'
import type { Erasure, ErasureCounts, SessionErasure } from '../../ports/erasure-store.ts'
import type { Database } from './database.ts'
import { eraseKnowledge, learnedMore } from './erase-knowledge.ts'
import { type ErasureStatements, deleteCursor, tablesOfSession } from './erasure-statements.ts'
import { eraseState } from './erase-state.ts'
import { headOf } from './head-of.ts'
import type { SessionRow } from './lineage.ts'
import { keptContextStatements as kept } from './kept-context-statements.ts'
import { lock } from './lock.ts'
import { logStatements as log, ownerValues } from './log-statements.ts'
import { type Program, all, allEach, change, countRows, one, changeRows, runEach, together } from './program.ts'
import { eraseBlobs } from './erase-blobs.ts'
import { shownIn } from './shown-blobs.ts'
import { stateStatements as state } from './state-statements.ts'
import { disturb, unpostMessages } from './unpost.ts'

const NOTHING = Buffer.alloc(0)

/** Hashed at once, a few milliseconds: a session may have hundreds of thousands of messages. */
const NAMES_PER_STEP = 500

/** What its programs need: who runs them, and the statements in its words. */
export interface ErasureTools {
  readonly database: Database
  readonly sql: ErasureStatements
}

export type Counts = { -readonly [Kind in keyof ErasureCounts]: number }

/** One piece of forgetting: everything but the answers of a server, and the pages. */
export function* erase(tools: ErasureTools, erasure: Erasure): Program<ErasureCounts | undefined> {
  const { sql } = tools
  yield* hold(tools, erasure)
  // Another process may have been faster: what it destroyed is what it wrote down.
  const begun = yield* one<{ readonly stage: string; readonly body: string }>(sql.stage, erasure.id)
  if (begun !== undefined && begun.stage !== 'content') return countsIn(begun.body)
  if (!(yield* isAsPlanned(tools, erasure))) return undefined
  const counts: Counts = {
    messages: 0,
    revisions: 0,
    folds: 0,
    passages: 0,
    terms: 0,
    vectors: 0,
    blobs: 0,
    operations: 0,
    jobs: 0,
    sources: 0,
    entities: 0,
    state: 0,
    keys: (erasure.keys?.destroyed ?? 0) + (erasure.keys?.resealing.length ?? 0),
    bytes: 0,
  }
  const blobs = new Set<string>()
  for (const session of erasure.sessions) yield* eraseContent(tools, erasure, { session, counts, blobs })
  yield* eraseKnowledge(sql, erasure, counts)
  yield* eraseKeptContexts(erasure)
  for (const scope of scopesOf(erasure)) counts.jobs += yield* changeRows(sql.scrubErrors, scope)
  // A fork goes before the session that it names as its parent.
  for (const session of erasure.sessions.toReversed()) yield* endSession(tools, erasure, session)
  const gone = yield* eraseBlobs(tools.sql, erasure.scope, blobs)
  counts.blobs += gone.blobs
  counts.bytes += gone.bytes
  const resealing = (erasure.keys?.resealing ?? []).map((session) => ({ ...session, retired: null }))
  yield* changeRows(
    sql.contentGone,
    JSON.stringify({ ...counts, ...(resealing.length > 0 && { resealing }) }),
    erasure.id,
  )
  return counts
}

/** Contexts of the sessions, and those of the scope and below that show what belongs to others: any of it may be what goes. */
function* eraseKeptContexts({ id, at, scope, sessions }: Erasure): Program<void> {
  const within = [scope, scope, scope]
  yield* together([
    // What another process built before and writes later is left out.
    change(kept.markForgotten, scope, at, id),
    change(kept.forgetBorrowedContexts, ...within),
    change(kept.forgetBorrowedTexts, ...within),
    ...sessions.flatMap((session) => [
      change(kept.forgetContexts, session.scope, session.name),
      change(kept.forgetTexts, session.scope, session.name),
    ]),
  ])
}

function countsIn(body: string): ErasureCounts {
  const { resealing: _, ...counts } = JSON.parse(body) as ErasureCounts & { readonly resealing?: unknown }
  return counts
}

/**
 * Keeps away whoever else decides about the same, before anything is read. In the order in which others take these: what is
 * known, then the index, then recorded contexts, then sessions. Where two wait in a circle all the same, the server ends one and it tries again.
 */
function* hold({ database, sql }: ErasureTools, erasure: Erasure): Program<void> {
  yield* lock(database, 'knowledge', rootOf(erasure.scope))
  for (const owner of scopesOf(erasure)) yield* lock(database, 'recall', owner)
  yield* lock(database, 'contexts', rootOf(erasure.scope))
  const keys = erasure.sessions.toSorted((a, b) => a.key - b.key)
  if (database.dialect.lock !== undefined)
    for (const { scope: owner, key } of keys) yield* all(sql.holdSession, owner, key)
}

function scopesOf({ scope, facts, entities }: Erasure): readonly string[] {
  const owners = [scope, ...facts.map((fact) => fact.scope), ...entities.map((entity) => entity.scope)]
  return [...new Set(owners)].toSorted()
}

/** Whether the plan, which was made outside of the transaction, is still all that has to go. */
function* isAsPlanned(tools: ErasureTools, erasure: Erasure): Program<boolean> {
  for (const session of erasure.sessions) {
    if (session.what !== 'all' && (yield* foldsThrough(tools, session)) !== session.foldsThrough) return false
    if (yield* hasOtherForks(tools, erasure, session)) return false
    if (session.sealedAs !== undefined && (yield* described(session)) !== JSON.stringify(session.sealedAs)) return false
  }
  return !(yield* learnedMore(tools.sql, erasure))
}

/** Where nothing is folded, no other forgetting is in the way. */
function* foldsThrough({ database: { dialect }, sql }: ErasureTools, session: SessionErasure): Program<number> {
  const owner = ownerValues(dialect, session)
  const folded = yield* countRows(sql.newestFold, ...owner)
  return folded === 0 ? 0 : Math.max(folded, yield* countRows(sql.newestForgetting, ...owner))
}

function* described({ scope, key }: SessionErasure): Program<string | undefined> {
  return (yield* one<SessionRow>(log.sessionByKey, scope, key))?.description
}

/** Forks that share what goes and that the plan does not know: they came since. */
function* hasOtherForks(
  { database: { dialect }, sql }: ErasureTools,
  { sessions }: Erasure,
  session: SessionErasure,
): Program<boolean> {
  // A fork from before the first message has a copy of the description all the same.
  const first = session.what === 'all' || session.description !== undefined ? 0 : Math.min(...session.what)
  const forks = yield* all<{ readonly key: number; readonly throughSeq: number }>(
    sql.forks,
    ...ownerValues(dialect, session),
  )
  return forks.some(({ key, throughSeq }) => throughSeq >= first && !sessions.some((known) => known.key === key))
}

interface Content {
  readonly seq: number
  readonly id: string
  readonly body: string
}

interface Amended {
  readonly kind: string
  readonly body: string
}

interface Gathered {
  readonly session: SessionErasure
  readonly counts: Counts
  readonly blobs: Set<string>
}

function* contentOf(
  { database: { dialect }, sql }: ErasureTools,
  session: SessionErasure,
): Program<{ readonly messages: readonly Content[]; readonly later: readonly Amended[] }> {
  const owner = ownerValues(dialect, session)
  if (session.what === 'all')
    return {
      messages: (yield* all<Content>(sql.ownMessages, ...owner)).filter(({ body }) => body !== ''),
      later: yield* all<Amended>(sql.ownRevisions, ...owner),
    }
  const placesOf = (seqs: readonly number[]): readonly (readonly unknown[])[] => seqs.map((seq) => [...owner, seq])
  return {
    messages: (yield* allEach<Content>(sql.messageAt, placesOf(session.own))).flat(),
    // A fork may have given what it shares other words: those rows are its own.
    later: (yield* allEach<Amended>(sql.revisionsAt, placesOf(session.what))).flat(),
  }
}

function* eraseContent(tools: ErasureTools, erasure: Erasure, { session, counts, blobs }: Gathered): Program<void> {
  const { sql } = tools
  const { key, scope, name, what } = session
  const { messages, later } = yield* contentOf(tools, session)
  for (const { body } of [...messages, ...later]) {
    counts.bytes += Buffer.byteLength(body)
    for (const hash of shownIn(body)) blobs.add(hash)
  }
  counts.messages += messages.length
  counts.revisions += later.filter(({ kind }) => kind === 'revise').length
  counts.folds += what === 'all' ? later.filter(({ kind }) => kind === 'compact').length : session.rewrite.length
  // Forks share the ids: a retry may come through any of them.
  for (const { name: shared } of erasure.sessions)
    for (let from = 0; from < messages.length; from += NAMES_PER_STEP) {
      const names = messages.slice(from, from + NAMES_PER_STEP).map(({ id }) => erasure.nameOf(shared, 'message', id))
      yield* runEach(
        sql.addName,
        names.map((gone) => [scope, gone]),
      )
    }
  yield* eraseOperations(tools, erasure, { session, counts })
  for (const kind of ['message', 'fold'] as const) {
    const gone = yield* unpostMessages(sql, { scope, kind, key }, kind === 'fold' ? 'all' : what)
    counts.passages += gone.passages
    counts.terms += gone.terms
    counts.vectors += gone.vectors
    if (what === 'all') yield* changeRows(sql.deleteThread, key * 4 + (kind === 'fold' ? 1 : 0))
    else yield* disturb(sql, { scope, kind, key })
  }
  counts.jobs += yield* changeRows(what === 'all' ? sql.deleteJobs : sql.scrubJobs, scope, name)
  yield* changeRows(state.forgetToolCounts, scope, name)
  if (what !== 'all') return
  counts.state += yield* eraseState({ scope, session: name }, erasure.nameOf(name, 'state', ''))
}

function* eraseOperations(
  { database: { dialect }, sql }: ErasureTools,
  erasure: Erasure,
  { session, counts }: Omit<Gathered, 'blobs'>,
): Program<void> {
  const { scope, name, what } = session
  const owner = ownerValues(dialect, session)
  const seqs = what === 'all' ? undefined : new Set(what)
  const toDestroy = (yield* all<{ readonly id: string; readonly seqs: string }>(sql.operations, ...owner)).filter(
    (operation) => seqs === undefined || (JSON.parse(operation.seqs) as number[]).some((seq) => seqs.has(seq)),
  )
  yield* runEach(
    sql.addName,
    toDestroy.map(({ id }) => [scope, erasure.nameOf(name, 'operation', id)]),
  )
  counts.operations += yield* runEach(
    sql.deleteOperation,
    toDestroy.map(({ id }) => [...owner, id]),
  )
}

/** A session that goes leaves its number, its length and the last link of its chain; one that stays, tombstones. */
function* endSession(
  { database: { dialect }, sql }: ErasureTools,
  erasure: Erasure,
  session: SessionErasure,
): Program<void> {
  const { key, scope, what } = session
  const row = yield* one<SessionRow>(log.sessionByKey, scope, key)
  if (row === undefined) return
  const owner = ownerValues(dialect, session)
  if (what === 'all') {
    yield* together([
      change(deleteCursor, key),
      ...tablesOfSession(dialect).map((statement) => change(statement, ...owner)),
      change(sql.addTombstone, key, row.scope, row.lastSeq, row.head, erasure.at, erasure.reason),
      change(sql.deleteSession, row.scope, key),
    ])
    return
  }
  const { rows, session: after } = erasure.amend(yield* headOf(row), session)
  yield* together([
    ...session.own.flatMap((seq) => [
      // An id that nobody can have given to another message before.
      change(sql.blankMessage, `forgotten:${seq}:${erasure.id}`, NOTHING, ...owner, seq),
      change(sql.deleteLinks, ...owner, seq),
    ]),
    ...what.map((seq) => change(sql.blankRevisions, NOTHING, ...owner, seq)),
    ...session.rewrite.map(({ version, body, salt }) => change(sql.rewriteAmendment, body, salt, ...owner, version)),
    ...rows.map(({ version, kind, seq, recordedAt, tokens, counter, salt, digest, chain, body }) =>
      change(sql.addAmendment, ...owner, version, kind, seq, recordedAt, tokens, counter, salt, digest, chain, body),
    ),
    ...(session.description === undefined
      ? []
      : [change(sql.describeSession, JSON.stringify(session.description), row.scope, key)]),
    ...(rows.length > 0
      ? [change(sql.moveSession, after.updatedAt, after.lastSeq, after.version, after.head, row.scope, key)]
      : []),
  ])
}
