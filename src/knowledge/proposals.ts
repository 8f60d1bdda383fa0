import type { Entity } from '../domain/entity.ts'
import { MemoryError } from '../domain/error.ts'
import type { Proposal, ProposalKind, ProposalStatus } from '../domain/proposal.ts'
import { quote } from '../domain/refuse.ts'
import type { Asking, KnowledgeDecision, SourceRow, StoredProposal } from '../ports/knowledge-store.ts'
import { ask } from './ask.ts'
import { checkExpected } from './check-expected.ts'
import { ANY, type Draft, changeKnowledge, openDraft, putEntity, putFact, writeOf } from './draft.ts'
import { SOURCES_SHOWN_MAX, showFact } from './fact-from-row.ts'
import type { Knowledge } from './knowledge.ts'
import { type EntityBody, showEntity } from './known-entity.ts'
import { type KnownFact, readFact } from './known-fact.ts'
import { type Suggestion, carryOut } from './proposed.ts'

const PROPOSALS_PER_PAGE = 50

interface EntityChange {
  readonly key: string
  /** Revision 0: there is none in this scope. */
  readonly revision: number
  readonly before: EntityBody | null
  readonly after: EntityBody
}

/** What a proposal would write, and what is there now: enough to apply it and to take it back. */
interface ProposalBody {
  readonly reason: string
  /** The same for the same suggestion: nobody is asked twice. */
  readonly about: string
  readonly facts: readonly { readonly before: KnownFact; readonly after: KnownFact }[]
  readonly entities: readonly EntityChange[]
  readonly names: readonly { readonly name: string; readonly before: string | null; readonly after: string | null }[]
  readonly sources: readonly SourceRow[]
  /** The version in which it was applied. */
  readonly applied?: number
}

/** Works out what a suggestion would change, and keeps that for somebody to agree to. Nothing else is changed. */
export function propose(
  knowledge: Knowledge,
  scope: string,
  suggestion: Suggestion,
  reason: string,
): Promise<Proposal> {
  return knowledge.store.change(function* decide(): Asking<KnowledgeDecision<Proposal>> {
    const imagined = yield* openDraft(knowledge, scope)
    yield* carryOut(imagined, suggestion)
    const body = yield* difference(imagined, reason, aboutOf(suggestion))
    const row = {
      id: knowledge.newId(),
      kind: Object.keys(suggestion).find((key): key is ProposalKind => key !== 'into' && key !== 'facts') ?? 'merge',
      status: 'open' as const,
      createdAt: imagined.mark.at,
      parts: [...body.facts.map(({ before }) => before.id), ...body.entities.map(({ key }) => key)],
      body: JSON.stringify(body),
    }
    const draft = yield* openDraft(knowledge, scope)
    draft.proposals.push(row)
    return { answer: yield* showProposal(scope, row, draft.mark.at), write: writeOf(draft) }
  })
}

export function aboutOf(suggestion: Suggestion): string {
  return JSON.stringify(suggestion)
}

function* difference(draft: Draft, reason: string, about: string): Asking<ProposalBody> {
  const ids = [...draft.facts.keys()]
  const rows = yield* ask({ of: 'facts', scopes: [draft.scope], by: { ids }, where: ANY, limit: ids.length + 1 })
  const keys = [...draft.entities.keys()]
  const entities = new Map((yield* ask({ of: 'entities', scopes: [draft.scope], keys })).map((row) => [row.key, row]))
  const names = new Map(
    (yield* ask({ of: 'names', scopes: [draft.scope], names: [...draft.names.keys()] })).map((row) => [
      row.name,
      row.entity,
    ]),
  )
  return {
    reason,
    about,
    facts: rows.map(readFact).flatMap((before) => {
      const after = draft.facts.get(before.id)
      return after === undefined ? [] : [{ before, after }]
    }),
    entities: [...draft.entities.values()].map(({ key, body }) => {
      const row = entities.get(key)
      const before = row === undefined ? null : (JSON.parse(row.body) as EntityBody)
      return { key, revision: row?.revision ?? 0, before, after: body }
    }),
    names: [...draft.names].map(([name, after]) => ({ name, before: names.get(name) ?? null, after })),
    sources: draft.sources,
  }
}

/**
 * Makes a proposal true.
 *
 * @throws {MemoryError} `knowledge/conflict` if a fact or an entity of it was changed since it was made.
 */
export function applyProposal(knowledge: Knowledge, scope: string, id: string): Promise<Proposal> {
  return changeKnowledge(knowledge, scope, function* decide(draft) {
    const { row, body } = yield* findProposal(draft, id, 'apply', 'open')
    yield* checkUntouched(draft, body, (before) => before)
    for (const { after } of body.facts) putFact(draft, { ...after, applied: after.applied })
    for (const { key, after } of body.entities) putEntity(draft, key, after)
    for (const { name, after } of body.names) draft.names.set(name, after)
    draft.sources.push(...body.sources)
    return yield* settleProposal(draft, row, 'applied', { ...body, applied: draft.mark.version })
  })
}

/** Takes an applied proposal back: every fact and entity is again what it was before. */
export function revertProposal(knowledge: Knowledge, scope: string, id: string): Promise<Proposal> {
  return changeKnowledge(knowledge, scope, function* decide(draft) {
    const { row, body } = yield* findProposal(draft, id, 'revert', 'applied')
    yield* checkUntouched(draft, body, () => body.applied ?? 0)
    for (const { before } of body.facts) putFact(draft, before)
    for (const { key, before, after } of body.entities) putEntity(draft, key, before ?? { ...after, gone: true })
    for (const { name, before } of body.names) draft.names.set(name, before)
    for (const { fact, evidence } of body.sources) draft.dropped.push({ fact, evidence })
    return yield* settleProposal(draft, row, 'reverted', body)
  })
}

function* findProposal(
  draft: Draft,
  id: string,
  attempt: string,
  status: ProposalStatus,
): Asking<{ readonly row: StoredProposal; readonly body: ProposalBody }> {
  const row = yield* ask({ of: 'proposal', scope: draft.scope, id })
  if (row === undefined)
    throw new MemoryError(
      'knowledge/not-found',
      `Cannot ${attempt} a proposal: there is no ${quote(id)} in ${quote(draft.scope)}, expected the id of one`,
      { proposal: id },
    )
  if (row.status !== status)
    throw new MemoryError(
      'knowledge/conflict',
      `Cannot ${attempt} proposal ${quote(id)}: it is ${row.status}, expected it to be ${status}`,
      { proposal: id, status: row.status },
    )
  return { row, body: JSON.parse(row.body) as ProposalBody }
}

/** What was changed meanwhile was changed by somebody who did not see this. */
function* checkUntouched(draft: Draft, body: ProposalBody, expected: (revision: number) => number): Asking<void> {
  const ids = body.facts.map(({ before }) => before.id)
  const rows = yield* ask({ of: 'facts', scopes: [draft.scope], by: { ids }, where: ANY, limit: ids.length + 1 })
  const revisions = new Map(rows.map(({ id, revision }) => [id, revision]))
  for (const { before } of body.facts)
    checkExpected('settle a proposal', expected(before.revision), revisions.get(before.id) ?? 0, before.id)
  const keys = body.entities.map(({ key }) => key)
  const entities = yield* ask({ of: 'entities', scopes: [draft.scope], keys })
  const found = new Map(entities.map(({ key, revision }) => [key, revision]))
  for (const { key, revision } of body.entities)
    checkExpected('settle a proposal', expected(revision), found.get(key) ?? 0)
}

function* settleProposal(
  draft: Draft,
  row: StoredProposal,
  status: ProposalStatus,
  body: ProposalBody,
): Asking<Proposal> {
  const settled = { ...row, status, parts: [], body: JSON.stringify(body) }
  draft.proposals.push(settled)
  return yield* showProposal(draft.scope, settled, draft.mark.at)
}

export interface ProposalsOptions {
  readonly status?: ProposalStatus
  /** @default 50 */
  readonly limit?: number
  /** The id of the last proposal of the page before. */
  readonly after?: string
}

/** Proposals of this very scope, oldest first. */
export function proposals(
  knowledge: Knowledge,
  scope: string,
  options: ProposalsOptions,
): Promise<readonly Proposal[]> {
  const { status, limit = PROPOSALS_PER_PAGE, after = '' } = options
  return knowledge.store.read(function* read() {
    const shown: Proposal[] = []
    for (const row of yield* ask({ of: 'proposals', scope, status, after, limit }))
      shown.push(yield* showProposal(scope, row, knowledge.clock.now()))
    return shown
  })
}

/** Which suggestions were made before and still stand, or were taken back: nobody wants to hear those again. */
export function* suggestedBefore(scope: string): Asking<ReadonlySet<string>> {
  const about = new Set<string>()
  for (let after = ''; ;) {
    const rows = yield* ask({ of: 'proposals', scope, status: undefined, after, limit: PROPOSALS_PER_PAGE })
    for (const row of rows) if (row.status !== 'applied') about.add((JSON.parse(row.body) as ProposalBody).about)
    if (rows.length < PROPOSALS_PER_PAGE) return about
    after = rows.at(-1)?.id ?? after
  }
}

function* showProposal(scope: string, row: StoredProposal, at: number): Asking<Proposal> {
  const body = JSON.parse(row.body) as ProposalBody
  const ids = body.facts.map(({ before }) => ({ scope, id: before.id }))
  const sources = yield* ask({ of: 'sources', facts: ids, limit: SOURCES_SHOWN_MAX })
  return {
    id: row.id,
    kind: row.kind,
    status: row.status,
    reason: body.reason,
    createdAt: new Date(row.createdAt).toISOString(),
    facts: body.facts.map(({ before, after }, index) => {
      const now = sources[index] ?? { count: 0, rows: [] }
      // Once it is applied, the sources it adds are among those that are stored.
      const added = row.status === 'applied' ? [] : body.sources.filter(({ fact }) => fact === after.id)
      const then = { count: now.count + added.length, rows: [...now.rows, ...added].slice(-SOURCES_SHOWN_MAX) }
      return { before: showFact(before, at, now), after: showFact(after, at, then) }
    }),
    entities: body.entities.map((change) => ({
      before: showChanged(scope, change, change.before),
      after: showChanged(scope, change, change.after),
    })),
  }
}

function showChanged(scope: string, { key, revision }: EntityChange, body: EntityBody | null): Entity | null {
  return body === null || body.gone === true ? null : showEntity({ scope, key, revision, until: 0, body })
}
