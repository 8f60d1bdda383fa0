import type { Asking, StoredProposal } from '../ports/knowledge-store.ts'
import { ask } from './ask.ts'
import { objectText } from './fact-text.ts'
import { nameKey } from './keys.ts'
import { type KnowledgeEdit, entityOf, nameSpace, putEntity } from './knowledge-edit.ts'
import type { KnownFact } from './known-fact.ts'
import { resolveNames } from './names.ts'
import { type ProposalBody, difference, proposalParts } from './proposal-body.ts'
import type { Suggestion } from '../api/graph.ts'
import { carryOutSuggestion } from './proposed.ts'
import { resolveEntity } from './resolve-entity.ts'
import { undoProposal } from './undo-proposal.ts'
import { USER } from './user.ts'

const NAME = 'name'
const REASON = 'the user gave this name'
const PROPOSALS_PER_READ = 50
/** What an agent calls its user by is trusted like the user. */
const TRUST = 2

/**
 * Makes a name that users give themselves another name for them, so that facts about `Ada` and about `user` are about one person.
 * Stored as an applied proposal to merge the two: reverting it, or retracting the fact, undoes it.
 */
export function* adoptName(draft: KnowledgeEdit, name: string): Asking<void> {
  const user = yield* resolveEntity(draft, { name: USER }, TRUST)
  for (const one of namesIn(name)) yield* adopt(draft, user.key, one)
}

/** A name, and its first word: Ada Lovelace is Ada too. */
function namesIn(name: string): ReadonlySet<string> {
  return new Set([name, name.split(/\s+/u)[0] ?? name])
}

function* adopt(draft: KnowledgeEdit, user: string, name: string): Asking<void> {
  const key = nameKey(name)
  const meant = (yield* resolveNames(nameSpace(draft), [key])).get(key)
  if (meant === user) return
  const before = { facts: new Set(draft.facts.keys()), names: new Set(draft.names.keys()) }
  const suggestion: Suggestion = { merge: [USER, name] }
  if (meant === undefined) yield* addAlias(draft, user, name)
  else yield* carryOutSuggestion(draft, suggestion, draft.mark.at)
  const body = yield* difference(draft, REASON, JSON.stringify(suggestion))
  record(draft, {
    ...body,
    facts: body.facts.filter(({ before: { id } }) => !before.facts.has(id)),
    names: body.names.filter(({ name: changed }) => !before.names.has(changed)),
    sources: [],
  })
}

function* addAlias(draft: KnowledgeEdit, user: string, name: string): Asking<void> {
  const known = yield* entityOf(draft, user)
  if (known === undefined) return
  putEntity(draft, user, { ...known.body, aliases: [...known.body.aliases, name.trim()] })
  draft.names.set(nameKey(name), user)
}

function record(draft: KnowledgeEdit, body: ProposalBody): void {
  draft.proposals.push({
    id: draft.knowledge.newId(),
    kind: 'merge',
    status: 'applied',
    createdAt: draft.mark.at,
    parts: proposalParts(body),
    body: JSON.stringify(body),
  })
}

/** Whether a fact says what the user is called. */
export function isUsersName({ subject, predicate }: KnownFact): boolean {
  return subject === nameKey(USER) && predicate === NAME
}

/** Undoes `adoptName` when the fact that gave the name is taken back. */
export function* releaseName(draft: KnowledgeEdit, fact: KnownFact): Asking<void> {
  const name = objectText(fact.body.object)
  const names = namesIn(name)
  for (const row of yield* proposalsOf(draft.scope, 'applied')) {
    const body = JSON.parse(row.body) as ProposalBody
    const suggestion = JSON.parse(body.about) as Suggestion
    if (body.reason !== REASON || !('merge' in suggestion) || !names.has(suggestion.merge[1])) continue
    yield* undoProposal(draft, body)
    draft.proposals.push({ ...row, status: 'reverted', parts: proposalParts(body) })
  }
}

/**
 * Prepares to destroy the names that forgotten facts gave the user. The entity of the user is written again without them, and so are
 * proposals that do not mention them.
 *
 * @returns the entities of which every earlier version has to go
 */
export function* forgetNames(draft: KnowledgeEdit, facts: readonly KnownFact[]): Asking<readonly string[]> {
  const names = facts.filter(isUsersName).flatMap(({ body }) => [...namesIn(objectText(body.object))])
  const user = nameKey(USER)
  const known = names.length === 0 ? undefined : yield* entityOf(draft, user)
  if (known === undefined) return []
  const forgotten = new Set(names.map(nameKey))
  const aliases = known.body.aliases.filter((alias) => !forgotten.has(nameKey(alias)))
  putEntity(draft, user, { ...known.body, aliases })
  for (const name of forgotten) draft.names.delete(name)
  for (const name of [known.body.name, ...aliases]) draft.names.set(nameKey(name), user)
  const written = names.map((name) => JSON.stringify(name).slice(1, -1))
  const kept = (yield* proposalsOf(draft.scope, undefined)).filter(
    ({ body }) => !written.some((name) => body.includes(name)),
  )
  const rows = kept.map((row) => ({ ...row, parts: proposalParts(JSON.parse(row.body) as ProposalBody) }))
  draft.proposals.splice(0, Infinity, ...rows)
  return [user]
}

function* proposalsOf(scope: string, status: 'applied' | undefined): Asking<readonly StoredProposal[]> {
  const all: StoredProposal[] = []
  for (let after = ''; ;) {
    const rows = yield* ask({ of: 'proposals', scope, status, after, limit: PROPOSALS_PER_READ })
    all.push(...rows)
    if (rows.length < PROPOSALS_PER_READ) return all
    after = rows.at(-1)?.id ?? after
  }
}
