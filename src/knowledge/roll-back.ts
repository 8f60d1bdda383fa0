import type { RollBackLosses, RollBackReceipt } from '../api/facts.ts'
import { MemoryError } from '../domain/error.ts'
import { quote } from '../domain/refuse.ts'
import { highestTrust, lowestTrust } from '../domain/trust.ts'
import type { ParsedSource } from '../domain/new-fact.ts'
import type { Asking } from '../ports/knowledge-store.ts'
import { ask } from './ask.ts'
import { ANY, type KnowledgeEdit, changeKnowledge, editBelow, factOf, putFact, factSources } from './knowledge-edit.ts'
import { findMessages, messageReference } from './evidence.ts'
import { subjectsOf } from './find-fact.ts'
import type { Knowledge } from './knowledge.ts'
import type { KnownFact } from './known-fact.ts'
import { resettle } from './place-fact.ts'
import { reopenFact } from './reopen-fact.ts'
import { resettleBelow } from './resettle-below.ts'
import { markRetracted } from './mark-retracted.ts'
import { isUsersName, releaseName } from './users-name.ts'

/**
 * Takes back everything that a source taught here and deeper, directly or through other facts, and what that had closed.
 *
 * @throws {MemoryError} `knowledge/not-found` if there is no such message or fact.
 */
export function rollBack(knowledge: Knowledge, scope: string, source: ParsedSource): Promise<RollBackReceipt> {
  return changeKnowledge(knowledge, scope, function* decide(draft) {
    yield* checkKnown(draft, source)
    return yield* takeBack(draft, source)
  })
}

function* checkKnown(draft: KnowledgeEdit, source: ParsedSource): Asking<void> {
  const { id, type } = source
  if (type === 'message' && (yield* rowsOf(draft, source)).length > 0) return
  if (type === 'fact') {
    const found = yield* ask({ of: 'facts', scopes: draft.chain, by: { ids: [id] }, where: ANY, limit: 1 })
    if (found.length > 0) return
  }
  throw new MemoryError(
    'knowledge/not-found',
    `Cannot roll back: ${quote(id)} is not a ${type} of ${quote(draft.scope)} or an ancestor`,
    { [type]: id },
  )
}

/** The same as part of a change. What never was has taught nothing. */
export function* takeBack(draft: KnowledgeEdit, source: ParsedSource): Asking<RollBackReceipt> {
  return yield* takeBackRows(draft, yield* rowsOf(draft, source))
}

/** The same for sources as the rows name them. */
export function* takeBackRows(draft: KnowledgeEdit, sources: readonly string[]): Asking<RollBackReceipt> {
  const losses = sources.map((one): Loss => ({ source: one, trust: undefined }))
  const own = yield* loseIn(draft, losses)
  const deeper: (RollBackLosses & { readonly scope: string })[] = []
  // A scope rests on its ancestors only, so in the order of paths each is whole before those that may rest on it.
  const done = new Set([draft.scope])
  for (;;) {
    const scope = (yield* scopesBelow(draft, losses)).find((one) => !done.has(one))
    if (scope === undefined) return { ...own, deeper }
    done.add(scope)
    const lost = yield* loseIn(yield* editBelow(draft, scope), losses)
    deeper.push({ scope, ...lost })
  }
}

function* scopesBelow(draft: KnowledgeEdit, losses: readonly Loss[]): Asking<readonly string[]> {
  const found = new Set<string>()
  for (const { source } of losses)
    for (const scope of yield* ask({ of: 'taughtBelow', scope: draft.scope, source })) found.add(scope)
  return [...found].toSorted()
}

/** Takes lost sources from one scope, and adds to the losses what is lost by that. */
function* loseIn(draft: KnowledgeEdit, losses: Loss[]): Asking<RollBackLosses> {
  const touched = new Map<string, KnownFact>()
  for (let next = 0; next < losses.length; next++) {
    const loss = losses[next]
    if (loss === undefined) break
    for (const id of yield* factsTaughtBy(draft, loss.source)) {
      const before = yield* factOf(draft, id)
      const left = before === undefined ? undefined : yield* lose(draft, before, loss)
      if (before === undefined || left === undefined) continue
      if (!touched.has(id)) touched.set(id, before)
      const after = draft.facts.get(id)
      if (left === 0) losses.push({ source: `f:${id}`, trust: undefined })
      else if (after !== undefined && after.trust < before.trust) losses.push({ source: `f:${id}`, trust: after.trust })
    }
  }
  for (const fact of touched.values()) {
    yield* resettle(draft, yield* subjectsOf(draft, fact), fact.predicate)
    if (draft.outer === undefined) yield* resettleBelow(draft, fact)
    const isGone = draft.facts.get(fact.id)?.standing === 'retracted'
    if (isGone && fact.standing !== 'retracted' && isUsersName(fact)) yield* releaseName(draft, fact)
  }
  const standing = (id: string): string | undefined => draft.facts.get(id)?.standing
  return {
    retracted: [...touched.keys()].filter((id) => standing(id) === 'retracted'),
    kept: [...touched.keys()].filter((id) => standing(id) !== 'retracted'),
  }
}

/** What a source is called in the rows: a message id without a session means all messages with this id. */
function* rowsOf(draft: KnowledgeEdit, source: ParsedSource): Asking<readonly string[]> {
  if (source.type === 'fact') return [`f:${source.id}`]
  const found = yield* findMessages(draft, source)
  return [...new Set(found.map(({ session }) => messageReference(session, source.id)))]
}

/** A source that counts no longer, or only with this trust. */
interface Loss {
  readonly source: string
  readonly trust: KnownFact['trust'] | undefined
}

function* factsTaughtBy(draft: KnowledgeEdit, source: string): Asking<ReadonlySet<string>> {
  const stored = yield* ask({ of: 'taught', scope: draft.scope, source })
  return new Set([...stored, ...draft.sources.filter((row) => row.source === source)].map(({ fact }) => fact))
}

/**
 * How many sources a fact has left, or undefined if it had nothing to lose. Evidence counts as a whole: without one of its
 * sources it says nothing. Nobody took the fact back: whoever says it again, brings it back with their own trust.
 */
function* lose(draft: KnowledgeEdit, fact: KnownFact, { source, trust }: Loss): Asking<number | undefined> {
  const { rows } = yield* factSources(draft, fact.id, Number.MAX_SAFE_INTEGER)
  const lost = new Set(rows.filter((row) => row.source === source).map(({ evidence }) => evidence))
  if (lost.size === 0) return undefined
  const left = rows.filter(({ evidence }) => !lost.has(evidence))
  const lowered = trust === undefined ? [] : rows.filter(({ evidence }) => lost.has(evidence))
  const weaker = lowered.map((row) => ({ ...row, trust: lowestTrust([row.trust, trust ?? 0]) }))
  if (weaker.length > 0 && weaker.every((row, index) => row.trust === lowered[index]?.trust)) return undefined
  for (const evidence of lost) drop(draft, fact.id, evidence)
  draft.sources.push(...weaker)
  const remaining = [...left, ...weaker]
  const open = trust === undefined || trust < fact.trust ? reopenFact(fact, source) : fact
  const after = { ...open, trust: highestTrust(remaining.map((row) => row.trust)) }
  if (remaining.length === 0 && fact.standing !== 'retracted')
    markRetracted(draft, after, 'its source was rolled back', 0)
  else putFact(draft, after)
  return remaining.length
}

function drop(draft: KnowledgeEdit, fact: string, evidence: string): void {
  const pending = draft.sources.filter((row) => !(row.fact === fact && row.evidence === evidence))
  if (pending.length < draft.sources.length) draft.sources.splice(0, Infinity, ...pending)
  draft.dropped.push({ fact, evidence })
}
