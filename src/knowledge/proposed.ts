import type { Suggestion } from '../api/graph.ts'
import { MemoryError } from '../domain/error.ts'
import { quote } from '../domain/refuse.ts'
import type { Asking } from '../ports/knowledge-store.ts'
import { combine, betterFirst } from './combine.ts'
import { type KnowledgeEdit, entityOf, nameSpace, putEntity, putFact } from './knowledge-edit.ts'
import { findFact, subjectsOf } from './find-fact.ts'
import { nameKey } from './keys.ts'
import type { KnownEntity } from './known-entity.ts'
import type { KnownFact } from './known-fact.ts'
import { factsAround, moveFacts } from './move-facts.ts'
import { keysOfEntity, resolveNames } from './names.ts'
import { asClaimed, resettle } from './place-fact.ts'

/** Carries a suggestion out on a draft, as of when it was made. */
export function carryOutSuggestion(draft: KnowledgeEdit, suggestion: Suggestion, at: number): Asking<void> {
  if ('merge' in suggestion) return merge(draft, suggestion.merge)
  if ('split' in suggestion) return split(draft, suggestion)
  return 'duplicates' in suggestion
    ? joinDuplicates(draft, suggestion.duplicates)
    : closeStale(draft, suggestion.stale, at)
}

function* named(draft: KnowledgeEdit, name: string): Asking<KnownEntity> {
  const key = nameKey(name)
  const meant = (yield* resolveNames(nameSpace(draft), [key])).get(key)
  const entity = meant === undefined ? undefined : yield* entityOf(draft, meant)
  if (entity !== undefined && !entity.body.gone) return entity
  throw new MemoryError(
    'knowledge/not-found',
    `Cannot propose: there is no entity ${quote(name)} in ${quote(draft.scope)} or an ancestor, expected the name of one`,
    { entity: name },
  )
}

function* merge(draft: KnowledgeEdit, [into, from]: readonly [string, string]): Asking<void> {
  const a = yield* named(draft, into)
  const b = yield* named(draft, from)
  if (a.key === b.key)
    throw new MemoryError(
      'input/invalid',
      `Cannot propose to merge ${quote(into)} and ${quote(from)}: they are one entity, expected two`,
      { option: 'merge', received: [into, from] },
    )
  const keys = yield* keysOfEntity(nameSpace(draft), b.key)
  const facts = yield* factsAround(draft, keys)
  const aliases = [...new Set([...a.body.aliases, b.body.name, ...b.body.aliases])].filter(
    (alias) => nameKey(alias) !== a.key,
  )
  const type = a.body.type ?? b.body.type
  putEntity(draft, a.key, { name: a.body.name, type, aliases })
  draft.names.set(a.key, a.key)
  putEntity(draft, b.key, { ...b.body, gone: true })
  for (const key of keys) draft.names.set(key, a.key)
  yield* moveFacts(draft, facts, keys, { key: a.key, name: a.body.name, type })
}

function* split(draft: KnowledgeEdit, suggestion: Extract<Suggestion, { readonly split: string }>): Asking<void> {
  const { into } = suggestion
  const old = yield* named(draft, suggestion.split)
  const key = nameKey(into.name)
  const moving = new Set((into.aliases ?? []).map(nameKey))
  for (const name of [key, ...moving]) yield* checkFree(draft, name, into.name, old)
  const facts: KnownFact[] = []
  for (const id of suggestion.facts) facts.push(yield* findFact(draft, 'propose', id))
  const from = yield* keysOfEntity(nameSpace(draft), old.key)
  const others = facts.filter(
    ({ subject, objectEntity }) => !from.includes(subject) && !from.includes(objectEntity ?? ''),
  )
  if (others.length > 0)
    throw new MemoryError(
      'input/invalid',
      `Cannot propose to split ${quote(old.body.name)}: fact ${quote(others[0]?.id)} is not about it, expected facts that are`,
      { facts: others.map(({ id }) => id) },
    )
  const kept = old.body.aliases.filter((alias) => !moving.has(nameKey(alias)) && nameKey(alias) !== key)
  if (kept.length < old.body.aliases.length) putEntity(draft, old.key, { ...old.body, aliases: kept })
  putEntity(draft, key, { name: into.name.trim(), type: into.type ?? old.body.type, aliases: into.aliases ?? [] })
  for (const name of [key, ...moving]) draft.names.set(name, key)
  yield* moveFacts(draft, facts, from, { key, name: into.name.trim(), type: into.type ?? old.body.type })
}

/** A new entity may take names that nobody has, and aliases of the one it is split from. */
function* checkFree(draft: KnowledgeEdit, name: string, shown: string, old: KnownEntity): Asking<void> {
  const meant = (yield* resolveNames(nameSpace(draft), [name])).get(name)
  if (meant === undefined || (meant === old.key && name !== old.key)) return
  throw new MemoryError(
    'knowledge/conflict',
    `Cannot propose to split ${quote(old.body.name)}: ${quote(shown)} has a name that is taken, expected a new one`,
    { entity: shown },
  )
}

function* joinDuplicates(draft: KnowledgeEdit, ids: readonly string[]): Asking<void> {
  const facts: KnownFact[] = []
  for (const id of ids) facts.push(yield* findFact(draft, 'propose', id))
  const [keep, ...others] = facts.toSorted(betterFirst)
  if (keep === undefined) return
  for (const other of others) yield* combine(draft, draft.facts.get(keep.id) ?? keep, other)
  yield* resettle(draft, yield* subjectsOf(draft, keep), keep.predicate)
}

function* closeStale(draft: KnowledgeEdit, ids: readonly string[], at: number): Asking<void> {
  for (const id of ids) {
    const fact = yield* findFact(draft, 'propose', id)
    const end = Math.min(at, fact.validTo)
    const closed = {
      ...fact,
      body: { ...fact.body, claim: { ...fact.body.claim, to: end }, reason: 'nobody has confirmed it for a long time' },
    }
    putFact(draft, asClaimed(closed))
    yield* resettle(draft, yield* subjectsOf(draft, fact), fact.predicate)
  }
}
