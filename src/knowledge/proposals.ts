import type { ProposalsOptions, Suggestion } from '../api/graph.ts'
import type { Entity } from '../domain/entity.ts'
import { MemoryError } from '../domain/error.ts'
import type { Proposal, ProposalKind, ProposalStatus } from '../domain/proposal.ts'
import { quote } from '../domain/refuse.ts'
import { scopeChain } from '../domain/scope-path.ts'
import type { Asking, KnowledgeDecision, StoredProposal, VersionMark } from '../ports/knowledge-store.ts'
import { ask } from './ask.ts'
import { countRevisions } from './count-revisions.ts'
import { type KnowledgeEdit, changeKnowledge, openEdit, writeOf } from './knowledge-edit.ts'
import { SOURCES_SHOWN_MAX, showFact } from './fact-from-row.ts'
import type { Knowledge } from './knowledge.ts'
import { type EntityBody, showEntity } from './known-entity.ts'
import { type EntityChange, type ProposalBody, checkUntouched, difference, proposalParts } from './proposal-body.ts'
import { carryOutSuggestion } from './proposed.ts'
import { undoProposal } from './undo-proposal.ts'

const PROPOSALS_PER_PAGE = 100

/** Works out what a suggestion would change, and keeps that for somebody to agree to. Nothing else is changed. */
export function propose(
  knowledge: Knowledge,
  scope: string,
  suggestion: Suggestion,
  reason: string,
): Promise<Proposal> {
  return knowledge.store.change(scope, function* decide(): Asking<KnowledgeDecision<Proposal>> {
    const imagined = yield* openEdit(knowledge, scope)
    yield* carryOutSuggestion(imagined, suggestion, imagined.mark.at)
    const body = yield* difference(imagined, reason, aboutOf(suggestion))
    const row = {
      id: knowledge.newId(),
      kind: Object.keys(suggestion).find((key): key is ProposalKind => key !== 'into' && key !== 'facts') ?? 'merge',
      status: 'open' as const,
      createdAt: imagined.mark.at,
      parts: proposalParts(body),
      body: JSON.stringify(body),
    }
    const draft = yield* openEdit(knowledge, scope)
    draft.proposals.push(row)
    return { answer: yield* showProposal(scope, row, draft.mark), write: writeOf(draft) }
  })
}

export function aboutOf(suggestion: Suggestion): string {
  return JSON.stringify(suggestion)
}

/**
 * Makes a proposal true. It is carried out on what is known now: what was said meanwhile of the same things goes the same
 * way, and single values are settled with it.
 *
 * @throws {MemoryError} `knowledge/conflict` if a fact, an entity or a name of it was changed since it was made.
 */
export function applyProposal(knowledge: Knowledge, scope: string, id: string): Promise<Proposal> {
  return changeKnowledge(knowledge, scope, function* decide(draft) {
    const { row, body } = yield* findProposal(draft, id, 'apply', 'open')
    yield* checkUntouched(draft, body)
    yield* carryOutSuggestion(draft, JSON.parse(body.about) as Suggestion, row.createdAt)
    return yield* settleProposal(draft, row, 'applied', yield* difference(draft, body.reason, body.about))
  })
}

/**
 * Takes an applied proposal back. What was learned since stays.
 *
 * @throws {MemoryError} `knowledge/conflict` if a name of it means something else by now.
 */
export function revertProposal(knowledge: Knowledge, scope: string, id: string): Promise<Proposal> {
  return changeKnowledge(knowledge, scope, function* decide(draft) {
    const { row, body } = yield* findProposal(draft, id, 'revert', 'applied')
    yield* undoProposal(draft, body)
    return yield* settleProposal(draft, row, 'reverted', body)
  })
}

function* findProposal(
  draft: KnowledgeEdit,
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

function* settleProposal(
  draft: KnowledgeEdit,
  row: StoredProposal,
  status: ProposalStatus,
  body: ProposalBody,
): Asking<Proposal> {
  const settled = { ...row, status, parts: proposalParts(body), body: JSON.stringify(body) }
  draft.proposals.push(settled)
  return yield* showProposal(draft.scope, settled, draft.mark)
}

/** Proposals of this very scope, oldest first. */
export function proposals(
  knowledge: Knowledge,
  scope: string,
  options: ProposalsOptions,
): Promise<readonly Proposal[]> {
  const { status, limit = PROPOSALS_PER_PAGE, after = '' } = options
  return knowledge.store.read(scope, function* read() {
    const shown: Proposal[] = []
    for (const row of yield* ask({ of: 'proposals', scope, status, after, limit }))
      shown.push(yield* showProposal(scope, row, { at: knowledge.clock.now() }))
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

/** Takes the time, and the version of a change that is not stored yet. */
function* showProposal(
  scope: string,
  row: StoredProposal,
  { at, version }: Partial<VersionMark> & Pick<VersionMark, 'at'>,
): Asking<Proposal> {
  const body = JSON.parse(row.body) as ProposalBody
  const chain = scopeChain(scope)
  const before = yield* countRevisions(
    chain,
    body.facts.map((fact) => fact.before),
    version,
  )
  const after = yield* countRevisions(
    chain,
    body.facts.map((fact) => fact.after),
    version,
  )
  const entities = yield* countRevisions(chain, body.entities, version)
  const ids = before.map(({ id }) => ({ scope, id }))
  const sources = yield* ask({ of: 'sources', facts: ids, limit: SOURCES_SHOWN_MAX })
  return {
    id: row.id,
    kind: row.kind,
    status: row.status,
    reason: body.reason,
    createdAt: new Date(row.createdAt).toISOString(),
    facts: before.map((was, index) => {
      const becomes = after[index] ?? was
      const now = sources[index] ?? { count: 0, rows: [] }
      // Once it is applied, the sources it adds are among those that are stored.
      const added = row.status === 'applied' ? [] : body.sources.filter(({ fact }) => fact === becomes.id)
      const then = { count: now.count + added.length, rows: [...now.rows, ...added].slice(-SOURCES_SHOWN_MAX) }
      return { before: showFact(was, at, now), after: showFact(becomes, at, then) }
    }),
    entities: entities.map((change) => ({
      before: showChanged(scope, change, change.before),
      after: showChanged(scope, change, change.after),
    })),
  }
}

function showChanged(scope: string, { key, revision }: EntityChange, body: EntityBody | null): Entity | null {
  return body === null || body.gone === true ? null : showEntity({ scope, key, revision, until: 0, body })
}
