import type {
  Erasure,
  ErasureCounts,
  ErasureRow,
  ErasureStore,
  SessionErasure,
  TaughtFact,
} from '../../ports/erasure-store.ts'
import type { SessionHead } from '../../ports/log-store.ts'
import type { Database } from './database.ts'
import { erasureStatements as sql, tablesOfSession } from './erasure-statements.ts'
import { knowledgeStatements as knowledge } from './knowledge-statements.ts'
import { type SessionRow, sessionHead } from './lineage.ts'
import { logStatements as log } from './log-statements.ts'
import { type Program, all, count, one, run } from './program.ts'
import { stateStatements as state } from './state-statements.ts'
import { disturb, unpostFacts, unpostMessages } from './unpost.ts'

const NOTHING = Buffer.alloc(0)

/** Forgetting, beside the tables of everybody: it is the one thing that must know them all. */
export function erasureStore(database: Database, own: Pick<ErasureStore, 'scrub' | 'search'>): ErasureStore {
  return {
    family: (scope, session) => database.snapshot('find forks', [scope], () => family(scope, session)),
    taught: (scope, sources) => database.snapshot('find what was learned', [scope], () => taught(scope, sources)),
    begin: ({ id, scope, stage, body, at }) =>
      database.write('begin to forget', [scope], function* () {
        yield* run(sql.begin, id, scope, stage, body, at)
      }),
    unfinished: () =>
      database.read('read what is to be forgotten', 'every scope', () => all<ErasureRow>(sql.unfinished)),
    erase: (erasure) => database.write('forget', 'every scope', () => erase(erasure)),
    finish: (id) =>
      database.write('finish forgetting', 'every scope', function* () {
        yield* run(sql.finish, id)
      }),
    ...own,
  }
}

function* headOf(row: SessionRow): Program<SessionHead> {
  const ancestors: SessionRow[] = []
  for (let key = row.parentKey; key !== null;) {
    const ancestor: SessionRow | undefined = yield* one<SessionRow>(log.sessionByKey, row.scope, key)
    if (ancestor === undefined || ancestors.length > 10_000) break
    ancestors.push(ancestor)
    key = ancestor.parentKey
  }
  return sessionHead(row, ancestors)
}

function* family(scope: string, session: string): Program<readonly SessionHead[]> {
  const found: SessionHead[] = []
  const names = [session]
  for (let name = names.shift(); name !== undefined; name = names.shift()) {
    const row = yield* one<SessionRow>(log.session, scope, name)
    if (row === undefined) continue
    found.push(yield* headOf(row))
    names.push(...(yield* all<{ readonly name: string }>(sql.forks, row.key)).map((fork) => fork.name))
  }
  return found
}

/** A source, or all that begin with it: the character after the comma is the hyphen. */
function bounds(source: string): readonly [string] | readonly [string, string] {
  return source.endsWith(',') ? [source, `${source.slice(0, -1)}-`] : [source]
}

function* taught(
  scope: string,
  sources: readonly string[],
): Program<{ readonly facts: readonly TaughtFact[]; readonly sources: readonly string[] }> {
  const facts: TaughtFact[] = []
  const seen = new Set<string>()
  const did = new Set<string>()
  const names = [...sources]
  for (let name = names.pop(); name !== undefined; name = names.pop()) {
    const values = bounds(name)
    const statement = values.length === 1 ? sql.taughtBy : sql.taughtByAll
    for (const { source, ...fact } of yield* all<TaughtRow>(statement, ...values, scope, scope, scope)) {
      did.add(source)
      const key = JSON.stringify([fact.scope, fact.id])
      if (seen.has(key)) continue
      seen.add(key)
      // Once for each pair of entities that it ever spoke of.
      for (const spoken of yield* all<Spoken>(sql.entitiesOf, fact.scope, fact.id)) facts.push({ ...fact, ...spoken })
      names.push(`f:${fact.id}`)
    }
  }
  return { facts, sources: [...did].filter((source) => !source.startsWith('f:') || sources.includes(source)) }
}

type TaughtRow = Pick<TaughtFact, 'scope' | 'id'> & { readonly source: string }
type Spoken = Pick<TaughtFact, 'subject' | 'objectEntity'>

type Counts = { -readonly [Kind in keyof ErasureCounts]: number }

function* erase(erasure: Erasure): Program<ErasureCounts | undefined> {
  // Another process may have been faster: what it destroyed is what it wrote down.
  const begun = yield* one<{ readonly stage: string; readonly body: string }>(sql.stage, erasure.id)
  if (begun?.stage === 'pages') return JSON.parse(begun.body) as ErasureCounts
  for (const { key, what, compactedThrough } of erasure.sessions)
    if (what !== 'all' && (yield* count(sql.newestCompaction, key)) !== compactedThrough) return undefined
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
    answers: 0,
    sources: 0,
    entities: 0,
    state: 0,
    bytes: 0,
  }
  const blobs = new Set<string>()
  for (const session of erasure.sessions) yield* eraseContent(erasure, session, counts, blobs)
  yield* eraseKnowledge(erasure, counts)
  // A fork goes before the session that it names as its parent.
  for (const session of erasure.sessions.toReversed()) yield* endSession(erasure, session)
  yield* eraseBlobs(erasure.scope, blobs, counts)
  // Answers that a server keeps for retries may quote anything.
  counts.answers = yield* run(sql.blankAnswers)
  yield* run(sql.contentGone, JSON.stringify(counts), erasure.id)
  return counts
}

interface Content {
  readonly seq: number
  readonly id: string
  readonly body: string
}

function* eraseContent(erasure: Erasure, session: SessionErasure, counts: Counts, blobs: Set<string>): Program<void> {
  const { key, scope, name, what } = session
  const messages: Content[] = []
  const later: { readonly kind: string; readonly body: string }[] = []
  if (what === 'all') {
    messages.push(...(yield* all<Content>(sql.ownMessages, key)).filter(({ body }) => body !== ''))
    later.push(...(yield* all<{ kind: string; body: string }>(sql.ownRevisions, key)))
  } else
    for (const seq of session.own) {
      messages.push(...(yield* all<Content>(sql.messageAt, key, seq)))
      later.push(...(yield* all<{ kind: string; body: string }>(sql.revisionsAt, key, seq)))
    }
  for (const { body } of [...messages, ...later]) {
    counts.bytes += Buffer.byteLength(body)
    for (const hash of body.matchAll(/"hash":"([0-9a-f]{64})"/g)) blobs.add(hash[1] ?? '')
  }
  counts.messages += messages.length
  counts.revisions += later.filter(({ kind }) => kind === 'revise').length
  counts.folds += what === 'all' ? later.filter(({ kind }) => kind === 'compact').length : session.rewrite.length
  // Forks share the ids: a retry may come through any of them.
  for (const { name: shared } of erasure.sessions)
    for (const { id } of messages) yield* run(sql.addName, scope, erasure.nameOf(shared, 'message', id))
  yield* eraseOperations(erasure, session, counts)
  for (const kind of ['messages', 'folds'] as const) {
    const gone = yield* unpostMessages({ scope, kind, key }, kind === 'folds' ? 'all' : what)
    counts.passages += gone.passages
    counts.terms += gone.terms
    counts.vectors += gone.vectors
    if (what === 'all') yield* run(sql.deleteThread, key * 4 + (kind === 'folds' ? 1 : 0))
    else yield* disturb({ scope, kind, key })
  }
  counts.jobs += yield* run(what === 'all' ? sql.deleteJobs : sql.scrubJobs, scope, name)
  yield* run(state.forgetToolCounts, scope, name)
  if (what !== 'all') return
  counts.state += yield* run(state.forgetEntries, scope, name)
  yield* run(state.forgetHead, scope, name)
}

function* eraseOperations(erasure: Erasure, { key, scope, name, what }: SessionErasure, counts: Counts): Program<void> {
  const seqs = what === 'all' ? undefined : new Set(what)
  for (const operation of yield* all<{ readonly id: string; readonly seqs: string }>(sql.operations, key)) {
    if (seqs !== undefined && !(JSON.parse(operation.seqs) as number[]).some((seq) => seqs.has(seq))) continue
    yield* run(sql.addName, scope, erasure.nameOf(name, 'operation', operation.id))
    counts.operations += yield* run(sql.deleteOperation, key, operation.id)
  }
}

/** A session that goes leaves its number, its length and the last link of its chain; one that stays, tombstones. */
function* endSession(erasure: Erasure, session: SessionErasure): Program<void> {
  const { key, scope, what } = session
  const row = yield* one<SessionRow>(log.sessionByKey, scope, key)
  if (row === undefined) return
  if (what === 'all') {
    for (const statement of tablesOfSession) yield* run(statement, key)
    yield* run(sql.addTombstone, key, row.scope, row.lastSeq, row.head, erasure.at, erasure.reason)
    yield* run(sql.deleteSession, key)
    return
  }
  for (const seq of session.own) {
    yield* run(sql.blankMessage, `forgotten:${seq}`, NOTHING, key, seq)
    yield* run(sql.blankRevisions, NOTHING, key, seq)
    yield* run(sql.deleteLinks, key, seq)
  }
  for (const { version, body, salt } of session.rewrite) yield* run(sql.rewriteAmendment, body, salt, key, version)
  const { rows, session: after } = erasure.amend(yield* headOf(row), session)
  for (const { version, kind, seq, recordedAt, tokens, counter, salt, digest, chain, body } of rows)
    yield* run(log.insertAmendment, key, version, kind, seq, recordedAt, tokens, counter, salt, digest, chain, body)
  if (rows.length > 0) yield* run(log.updateSession, after.updatedAt, after.lastSeq, after.version, after.head, key)
}

function* eraseKnowledge({ scope, facts, sources, entities }: Erasure, counts: Counts): Program<void> {
  const lost: { readonly scope: string; readonly id: string }[] = []
  for (const fact of facts) if ((yield* one(sql.factLeft, fact.scope, fact.id)) === undefined) lost.push(fact)
  const byScope = Map.groupBy(lost, (fact) => fact.scope)
  for (const [owner, gone] of byScope) {
    const unposted = yield* unpostFacts(
      owner,
      gone.map(({ id }) => id),
    )
    counts.passages += unposted.passages
    counts.terms += unposted.terms
  }
  // Evidence counts as a whole: without one of its sources it says nothing.
  for (const source of sources) {
    const values = bounds(source)
    const statement = values.length === 1 ? sql.evidenceOf : sql.evidenceOfAll
    for (const row of yield* all<Evidence>(statement, ...values, scope, scope, scope))
      counts.sources += yield* run(sql.deleteEvidence, row.scope, row.fact, row.evidence)
  }
  for (const { scope: owner, key } of entities) {
    if ((yield* one(sql.speaksOf, owner, owner, owner, key, key)) !== undefined) continue
    const proposals = yield* all<{ readonly proposal: string }>(knowledge.proposalsWithPart, owner, key)
    for (const { proposal } of proposals) {
      yield* run(knowledge.deleteProposal, owner, proposal)
      yield* run(knowledge.deleteProposalParts, owner, proposal)
    }
    counts.entities += (yield* run(sql.deleteEntity, owner, key)) > 0 ? 1 : 0
    yield* run(sql.deleteNames, owner, key)
  }
}

interface Evidence {
  readonly scope: string
  readonly fact: string
  readonly evidence: string
}

function* eraseBlobs(scope: string, hashes: ReadonlySet<string>, counts: Counts): Program<void> {
  for (const hash of hashes) {
    if ((yield* one(sql.blobUsed, scope, hash)) !== undefined) continue
    if ((yield* one(sql.blobUsedLater, scope, hash)) !== undefined) continue
    counts.bytes += yield* count(sql.blobBytes, scope, hash)
    counts.blobs += yield* run(sql.deleteBlob, scope, hash)
  }
}
