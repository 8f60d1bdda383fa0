import type { Asking } from '../ports/knowledge-store.ts'
import { type KnowledgeEdit, putFact, slotOf, factSources } from './knowledge-edit.ts'
import { type KnownFact, holdsAt, spansOf } from './known-fact.ts'
import { overlaps } from '../domain/span.ts'
import { restsOn } from './repeated-evidence.ts'
import { markRetracted } from './mark-retracted.ts'

/** Which of two facts that say the same stays: the more trusted, then the older. */
export function betterFirst(a: KnownFact, b: KnownFact): number {
  return b.trust - a.trust || a.learnedAt - b.learnedAt || (a.id < b.id ? -1 : 1)
}

/** Makes one fact of two that say the same. The one that stays gets the other's sources; its trust is not raised by them. */
export function* combine(draft: KnowledgeEdit, keep: KnownFact, other: KnownFact): Asking<void> {
  const { rows } = yield* factSources(draft, other.id, Number.MAX_SAFE_INTEGER)
  for (const sources of Map.groupBy(rows, ({ evidence }) => evidence).values()) {
    if (yield* restsOn(draft, sources, keep.id)) continue
    const evidence = draft.knowledge.newId()
    draft.sources.push(...sources.map((row) => ({ ...row, fact: keep.id, evidence })))
  }
  const tags = [...new Set([...keep.body.tags, ...other.body.tags])]
  putFact(draft, { ...keep, body: { ...keep.body, tags } })
  markRetracted(draft, other, `the same as fact ${keep.id}`, 0)
}

/** Combines a fact with those of its subject and predicate that have become the same. */
export function* combineSame(draft: KnowledgeEdit, id: string, subjects: readonly string[]): Asking<void> {
  const fact = draft.facts.get(id)
  if (fact === undefined || fact.standing !== 'held') return
  const all = yield* slotOf(draft, { subjects, predicate: fact.predicate, object: fact.objectKey })
  const same = all.filter(
    (other) => other.scope === draft.scope && other.standing === 'held' && meet(draft, other, fact),
  )
  const [keep, ...others] = same.toSorted(betterFirst)
  for (const other of others) {
    const kept = keep === undefined ? undefined : (draft.facts.get(keep.id) ?? keep)
    if (kept !== undefined) yield* combine(draft, kept, other)
  }
}

function meet(draft: KnowledgeEdit, a: KnownFact, b: KnownFact): boolean {
  if (a.id === b.id || (holdsAt(a, draft.mark.at) && holdsAt(b, draft.mark.at))) return true
  return spansOf(a).some((one) => spansOf(b).some((other) => overlaps(one, other)))
}
