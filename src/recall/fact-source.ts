import type { Fact } from '../domain/fact.ts'
import { factsChangedSince } from '../knowledge/changes.ts'
import { type VisibleFact, visibleFact } from '../knowledge/visible-fact.ts'
import type { Knowledge } from '../knowledge/knowledge.ts'
import { USER } from '../knowledge/user.ts'
import { factsNear } from '../knowledge/facts-near.ts'
import { askedPredicates } from './asked-predicates.ts'
import type { FactReader, FactToPost, RecalledFact } from './sources.ts'

/** More than one change of knowledge has, so that a page ends between two of them. */
const CHANGES_PER_PAGE = 4_000
const FACTS_AROUND_MAX = 50
const PHRASES_MAX = 200
/** Names have up to so many words. */
const WORDS_PER_NAME_MAX = 4
const WORD = /[\p{L}\p{N}\p{M}][\p{L}\p{N}\p{M}'’_.-]*/gu
/** Greater than every id. */
const LAST_ID = '\u{10ffff}'

/** The facts of a memory, as recall wants them. */
export function factSource(knowledge: Knowledge): FactReader {
  return {
    changes: (scope, after) => changesAfter(knowledge, scope, after, CHANGES_PER_PAGE),
    read: async (scope, id, { asOf, at }) => {
      const then = {
        ...(asOf === undefined ? {} : { asOf: new Date(asOf) }),
        ...(at === undefined ? {} : { at: new Date(at) }),
      }
      return recalled(await visibleFact(knowledge, scope, id, then), { asOf, at })
    },
    around: async ([scope = '', ..._ancestors], question, asker) => {
      const around = (phrases: readonly string[]): Promise<readonly Fact[]> =>
        factsNear(knowledge, scope, phrases, { limit: FACTS_AROUND_MAX })
      const [named, own] = await Promise.all([around(phrasesIn(question)), asker ? around([USER]) : []])
      const ids = new Set(named.map(({ id }) => id))
      const found = (fact: Fact): { scope: string; id: string; edge: string } => {
        return { scope: fact.scope, id: fact.id, edge: edgeOf(fact) }
      }
      const asked = askedPredicates(question)
      return [
        ...named.map(found),
        ...own
          .filter(({ id }) => !ids.has(id))
          .map((fact) => (asked.has(fact.predicate) ? found(fact) : { ...found(fact), asker: true as const })),
      ]
    },
  }
}

async function changesAfter(
  knowledge: Knowledge,
  scope: string,
  after: number,
  limit: number,
): ReturnType<FactReader['changes']> {
  const cursor = { version: after, id: LAST_ID }
  const changes = await factsChangedSince(knowledge, scope, { changed: cursor, forgotten: cursor }, limit)
  const { changed, forgotten } = changes.cursor
  const ends = [changed, forgotten].filter((one) => one !== cursor).map(({ version }) => version)
  if (ends.length === 0) return { through: after, facts: [], gone: [] }
  if (!changes.more) return { through: Math.max(...ends), facts: changes.facts.map(toPost), gone: changes.forgotten }
  // A full page may end in the middle of a change: only what is before that one is whole.
  const through = Math.min(...ends) - 1
  if (through <= after) return changesAfter(knowledge, scope, after, limit * 2)
  return {
    through,
    facts: changes.facts.filter(({ revision }) => revision <= through).map(toPost),
    gone: changes.forgotten,
  }
}

function toPost({ id, text, trust, learnedAt }: Fact): FactToPost {
  return { id, text, trust, at: Date.parse(learnedAt) }
}

function recalled(
  found: VisibleFact | undefined,
  { asOf, at }: { readonly asOf: number | undefined; readonly at: number | undefined },
): RecalledFact {
  if (found === undefined) return { state: asOf === undefined ? 'removed' : 'not-yet-known' }
  const { fact, outdone } = found
  if (outdone) return { state: 'superseded' }
  const shown = {
    text: fact.text,
    trust: fact.trust,
    at: Date.parse(fact.learnedAt),
    sources: fact.sources.flatMap((source) => (source.type === 'message' ? [source] : [])),
  }
  switch (fact.state) {
    case 'current':
      return { ...shown, state: 'current' }
    case 'quarantined':
      return { ...shown, state: 'quarantined' }
    case 'retracted':
      return { state: 'removed' }
    case 'closed':
    case 'upcoming':
      return { state: at === undefined ? 'superseded' : 'not-true-then' }
    case 'disputed':
      return { state: 'superseded' }
  }
}

/** Every stretch of a few words: whatever has such a name is asked about. */
function phrasesIn(question: string): readonly string[] {
  const words = [...question.slice(0, 10_000).matchAll(WORD)].map(([word]) => word.replace(/['’]s$/, ''))
  const phrases = new Set<string>()
  for (let length = 1; length <= WORDS_PER_NAME_MAX; length++)
    for (let at = 0; at + length <= words.length && phrases.size < PHRASES_MAX; at++)
      phrases.add(words.slice(at, at + length).join(' '))
  return [...phrases]
}

function edgeOf({ subject, predicate, object }: Fact): string {
  const end = typeof object === 'object' && 'entity' in object ? ` ${object.entity}` : ''
  return `${subject ?? ''} ${predicate}${end}`.trim()
}
