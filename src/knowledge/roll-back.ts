import { TRUST_OF_CHANNEL, highestTrust, lowestTrust } from '../domain/trust.ts'
import type { ParsedSource } from '../domain/new-fact.ts'
import type { Asking } from '../ports/knowledge-store.ts'
import { ask } from './ask.ts'
import { type Draft, changeKnowledge, factOf, putFact, sourcesOf } from './draft.ts'
import { findMessages, messageSource } from './evidence.ts'
import { subjectsOf } from './find-fact.ts'
import type { Knowledge } from './knowledge.ts'
import type { KnownFact } from './known-fact.ts'
import { resettle } from './place-fact.ts'
import { markRetracted } from './retract.ts'

export interface RollBackReceipt {
  /** Had no other source, also through facts they were derived from. */
  readonly retracted: readonly string[]
  /** Have another source left; they lost this one, and perhaps trust. */
  readonly kept: readonly string[]
}

/** Takes back everything that a source taught, directly or through other facts, and what that had closed. */
export function rollBack(knowledge: Knowledge, scope: string, source: ParsedSource): Promise<RollBackReceipt> {
  return changeKnowledge(knowledge, scope, (draft) => takeBack(draft, source))
}

/** The same as part of a change. */
export function* takeBack(draft: Draft, source: ParsedSource): Asking<RollBackReceipt> {
  const touched = new Map<string, KnownFact>()
  const queue = (yield* rowsOf(draft, source)).map((one): Loss => ({ source: one, trust: undefined }))
  for (let loss = queue.shift(); loss !== undefined; loss = queue.shift()) {
    for (const id of yield* factsTaughtBy(draft, loss.source)) {
      const before = yield* factOf(draft, id)
      if (before === undefined || !(yield* lose(draft, before, loss))) continue
      touched.set(id, before)
      const after = draft.facts.get(id)
      if (after === undefined) continue
      if (after.standing === 'retracted') queue.push({ source: `f:${id}`, trust: undefined })
      else if (after.trust < before.trust) queue.push({ source: `f:${id}`, trust: after.trust })
    }
  }
  for (const fact of touched.values()) yield* resettle(draft, yield* subjectsOf(draft, fact), fact.predicate)
  const standing = (id: string): string | undefined => draft.facts.get(id)?.standing
  return {
    retracted: [...touched.keys()].filter((id) => standing(id) === 'retracted'),
    kept: [...touched.keys()].filter((id) => standing(id) !== 'retracted'),
  }
}

/** What a source is called in the rows: a message id without a session means all messages of that id. */
function* rowsOf(draft: Draft, source: ParsedSource): Asking<readonly string[]> {
  if (source.type === 'fact') return [`f:${source.id}`]
  const found = yield* findMessages(draft, source)
  return [...new Set(found.map(({ session }) => messageSource(session, source.id)))]
}

/** A source that counts no longer, or only with this trust. */
interface Loss {
  readonly source: string
  readonly trust: KnownFact['trust'] | undefined
}

function* factsTaughtBy(draft: Draft, source: string): Asking<ReadonlySet<string>> {
  const stored = yield* ask({ of: 'taught', scope: draft.scope, source })
  return new Set([...stored, ...draft.sources.filter((row) => row.source === source)].map(({ fact }) => fact))
}

/** Whether the fact had anything to lose. Evidence counts as a whole: without one of its sources it says nothing. */
function* lose(draft: Draft, fact: KnownFact, { source, trust }: Loss): Asking<boolean> {
  const { rows } = yield* sourcesOf(draft, fact.id, Number.MAX_SAFE_INTEGER)
  const lost = new Set(rows.filter((row) => row.source === source).map(({ evidence }) => evidence))
  if (lost.size === 0) return false
  const left = rows.filter(({ evidence }) => !lost.has(evidence))
  const lowered = trust === undefined ? [] : rows.filter(({ evidence }) => lost.has(evidence))
  const weaker = lowered.map((row) => ({ ...row, trust: lowestTrust([row.trust, trust ?? 0]) }))
  if (weaker.length > 0 && weaker.every((row, index) => row.trust === lowered[index]?.trust)) return false
  for (const evidence of lost) drop(draft, fact.id, evidence)
  draft.sources.push(...weaker)
  const levels = [...left, ...weaker].map((row) => row.trust)
  if (levels.length > 0) putFact(draft, { ...fact, trust: highestTrust(levels) })
  else if (fact.standing !== 'retracted')
    markRetracted(draft, fact, 'its source was rolled back', TRUST_OF_CHANNEL.user)
  else putFact(draft, fact)
  return true
}

function drop(draft: Draft, fact: string, evidence: string): void {
  const pending = draft.sources.filter((row) => !(row.fact === fact && row.evidence === evidence))
  if (pending.length < draft.sources.length) draft.sources.splice(0, Infinity, ...pending)
  draft.dropped.push({ fact, evidence })
}
