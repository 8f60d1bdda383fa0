import type { ConsolidateOptions, Suggestion } from '../api/graph.ts'
import { NOTE } from '../domain/new-fact.ts'
import { looseForm } from '../domain/normal-form.ts'
import { type Pausing, withPauses } from '../log/with-pauses.ts'
import type { Proposal } from '../domain/proposal.ts'
import type { Asking, SourcesOfFact } from '../ports/knowledge-store.ts'
import { ask } from './ask.ts'
import { ANY } from './knowledge-edit.ts'
import { factText } from './fact-text.ts'
import { stateOf } from './fact-from-row.ts'
import type { Knowledge } from './knowledge.ts'
import { type KnownEntity, readEntity } from './known-entity.ts'
import { type KnownFact, readFact } from './known-fact.ts'
import { aboutOf, propose, suggestedBefore } from './proposals.ts'
import { sourceIn } from './stated-time.ts'

const DAY_MS = 86_400_000
const DAYS_STALE = 365
const PROPOSALS_MAX = 50
/** A scope with more is consolidated from its oldest facts on; what was settled makes room for the rest. */
const FACTS_READ_MAX = 20_000
const PAGE = 200
const NAMES_SHARING_A_WORD_MAX = 50

interface Idea {
  readonly suggestion: Suggestion
  readonly reason: string
}

/** Looks through a scope's own facts for duplicates, for two names of one thing, and for what has gone stale. Only proposes. */
export async function consolidate(
  knowledge: Knowledge,
  scope: string,
  options: ConsolidateOptions,
): Promise<readonly Proposal[]> {
  const { staleAfterDays = DAYS_STALE, limit = PROPOSALS_MAX } = options
  const now = knowledge.clock.now()
  const facts = await readAll(knowledge, scope, factPage)
  const entities = await readAll(knowledge, scope, entityPage)
  const before = await knowledge.store.read(scope, () => suggestedBefore(scope))
  const current = facts.filter((fact) => stateOf(fact, now) === 'current')
  const quiet = await quietSince({ knowledge, scope }, current, now - staleAfterDays * DAY_MS)
  const ideas = [
    ...(await withPauses(duplicates(current))),
    ...(await withPauses(sameNames(entities))),
    ...stale(quiet),
  ]
  const made: Proposal[] = []
  for (const { suggestion, reason } of ideas.filter((idea) => !before.has(aboutOf(idea.suggestion))).slice(0, limit))
    made.push(await propose(knowledge, scope, suggestion, reason))
  return made
}

async function readAll<Item>(
  knowledge: Knowledge,
  scope: string,
  page: (
    scope: string,
    after: string,
  ) => Asking<{ readonly items: readonly Item[]; readonly last: string | undefined }>,
): Promise<readonly Item[]> {
  const all: Item[] = []
  for (let after = ''; all.length < FACTS_READ_MAX;) {
    const { items, last } = await knowledge.store.read(scope, () => page(scope, after))
    all.push(...items)
    if (last === undefined) break
    after = last
  }
  return all
}

function* factPage(scope: string, after: string): Asking<{ items: readonly KnownFact[]; last: string | undefined }> {
  const rows = yield* ask({ of: 'facts', scopes: [scope], by: { all: true }, where: ANY, after, limit: PAGE })
  return { items: rows.map(readFact), last: rows.length < PAGE ? undefined : rows.at(-1)?.id }
}

function* entityPage(
  scope: string,
  after: string,
): Asking<{ items: readonly KnownEntity[]; last: string | undefined }> {
  const rows = yield* ask({ of: 'entityPage', scopes: [scope], after, limit: PAGE })
  const items = rows.map(readEntity).filter(({ body }) => body.gone !== true)
  return { items, last: rows.length < PAGE ? undefined : rows.at(-1)?.key }
}

/** The same words but for marks, accents and articles. */
function* duplicates(facts: readonly KnownFact[]): Pausing<readonly Idea[]> {
  const groups = new Map<string, KnownFact[]>()
  for (const fact of facts) {
    const { subject, predicate, body } = fact
    if (typeof body.object !== 'string' && !isEntity(body.object)) continue
    const key = JSON.stringify([subject, predicate, looseForm(factText(null, NOTE, body.object))])
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [fact])
    else group.push(fact)
    yield
  }
  return [...groups.values()].flatMap((group) => {
    if (group.length < 2 || looseForm(factText(null, NOTE, group[0]?.body.object ?? '')) === '') return []
    const [first] = group
    return [
      {
        suggestion: { duplicates: group.map(({ id }) => id) },
        reason: `${group.length} facts say that ${factText(first?.body.subject ?? null, first?.predicate ?? '', first?.body.object ?? '')}`,
      },
    ]
  })
}

function isEntity(object: KnownFact['body']['object']): boolean {
  return typeof object === 'object' && 'entity' in object
}

interface NamedEntity {
  readonly entity: KnownEntity
  readonly words: readonly string[]
}

/** Names that differ in marks only, and a short name that is part of exactly one longer one. */
function* sameNames(entities: readonly KnownEntity[]): Pausing<readonly Idea[]> {
  const named: NamedEntity[] = []
  const byWord = new Map<string, NamedEntity[]>()
  for (const entity of entities) {
    const one = { entity, words: looseForm(entity.body.name).split(' ') }
    named.push(one)
    for (const word of new Set(one.words)) {
      const list = byWord.get(word) ?? []
      list.push(one)
      byWord.set(word, list)
    }
    yield
  }
  const ideas: Idea[] = []
  for (const { entity, words } of named) {
    yield
    const [first = ''] = words
    // A word that many names share is no sign that two of them are one.
    const near = first === '' ? [] : (byWord.get(first) ?? []).slice(0, NAMES_SHARING_A_WORD_MAX)
    const longer = near.filter((other) => compatible(entity, other.entity) && mayBe(entity, words, other))
    const [only] = longer
    if (only === undefined || longer.length > 1) continue
    const [into, from] = [only.entity.body.name, entity.body.name]
    ideas.push({ suggestion: { merge: [into, from] }, reason: `${from} may be another name of ${into}` })
  }
  return ideas
}

function mayBe(entity: KnownEntity, words: readonly string[], other: NamedEntity): boolean {
  if (other.words.length > words.length) return words.every((word) => other.words.includes(word))
  // Of two that are equal, the first keeps its name.
  return other.entity.key < entity.key && other.words.join(' ') === words.join(' ')
}

/** A place is not a person, whatever they are called. */
function compatible(a: KnownEntity, b: KnownEntity): boolean {
  return a.body.type === null || b.body.type === null || a.body.type === b.body.type
}

/** Facts that were neither changed nor told again since a time. */
async function quietSince(
  { knowledge, scope }: { readonly knowledge: Knowledge; readonly scope: string },
  facts: readonly KnownFact[],
  time: number,
): Promise<readonly KnownFact[]> {
  const unchanged = facts.filter(({ recordedAt }) => recordedAt < time)
  const quiet: KnownFact[] = []
  for (let from = 0; from < unchanged.length; from += PAGE) {
    const page = unchanged.slice(from, from + PAGE)
    const sources = await knowledge.store.read(scope, () => ask({ of: 'sources', facts: page, limit: 1 }))
    quiet.push(...page.filter((_, index) => lastTold(sources[index]) < time))
  }
  return quiet
}

function lastTold(sources: SourcesOfFact | undefined): number {
  const [newest] = sources?.rows ?? []
  return newest === undefined ? 0 : Date.parse(sourceIn(newest.body).at)
}

function stale(facts: readonly KnownFact[]): readonly Idea[] {
  return facts.map(({ id, body, predicate }) => ({
    suggestion: { stale: [id] },
    reason: `nobody has confirmed for a long time that ${factText(body.subject, predicate, body.object)}`,
  }))
}
