import type { Hit, Term } from '../ports/recall-store.ts'
import type { AskedIndex } from './asked-index.ts'
import { fromImpact } from './bm25.ts'
import type { Earlier } from './earlier-passages.ts'
import { seqOf } from './place.ts'
import { type PassageAddress, Places } from './places.ts'
import type { WeighedConcept } from './rank.ts'

const HITS_PER_TERM_MAX = 400
/** Whoever asks for a time before the last so many mentions of a word gets those that he reached. */
const HITS_READ_MAX = 25_600
/** The best hits of a common word are short messages with little else; one that has several words of the question may be far behind them. */
const JOINED_CONCEPTS = 3
const HITS_TO_JOIN_MAX = 2_000
/** As many that have several of the rarest words are enough. */
const JOINED_ENOUGH = 50

/** The best hits of each term, and of the rarest also further ones where few places have two of them. */
export async function findHits(
  asked: AskedIndex,
  concepts: readonly WeighedConcept[],
  { terms, earlier }: { readonly terms: readonly Term[]; readonly earlier: Earlier | undefined },
): Promise<readonly Hit[]> {
  const hits = await hitsThen(asked, [...new Set(concepts.flatMap(({ terms: keys }) => keys))], earlier)
  const rarest = concepts
    .filter(({ idf }) => idf > 0)
    .toSorted((a, b) => b.idf - a.idf)
    .slice(0, JOINED_CONCEPTS)
  const frequency = new Map(terms.map(({ key, passages }) => [key, passages]))
  const common = new Set(
    rarest.flatMap(({ terms: keys }) => keys.filter((key) => (frequency.get(key) ?? 0) > HITS_PER_TERM_MAX)),
  )
  if (rarest.length < 2 || common.size === 0 || joined(hits, rarest).length >= JOINED_ENOUGH) return hits
  const stands = ({ thread, place }: Hit): boolean => earlier === undefined || earlier.stands(thread, seqOf(place))
  const more = (await asked.store.hits(asked.scopes, [...common], HITS_TO_JOIN_MAX)).filter(stands)
  const known = hits.filter(({ term }) => !common.has(term))
  const both = new Places<true>()
  const joint = joined([...known, ...more], rarest)
  for (const place of joint) both.set(place, true)
  const best = new Map<number, number>()
  return [
    ...known,
    ...more.filter((hit) => {
      const count = (best.get(hit.term) ?? 0) + 1
      best.set(hit.term, count)
      return count <= HITS_PER_TERM_MAX || both.get(hit) === true
    }),
  ]
}

/** Places where at least two of the concepts stand. */
function joined(hits: readonly Hit[], concepts: readonly WeighedConcept[]): readonly PassageAddress[] {
  const bits = new Map(concepts.flatMap(({ terms }, index) => terms.map((key) => [key, 1 << index])))
  const found = new Places<number>()
  const places: PassageAddress[] = []
  for (const hit of hits) {
    const bit = bits.get(hit.term)
    if (bit === undefined) continue
    const before = found.get(hit) ?? 0
    found.set(hit, before | bit)
    if (before !== 0 && (before & (before - 1)) === 0 && (before | bit) !== before) places.push(hit)
  }
  return places
}

/** The best hits of each term; of those that stood at a moment, where one is asked for. */
async function hitsThen(
  asked: AskedIndex,
  terms: readonly number[],
  earlier: Earlier | undefined,
): Promise<readonly Hit[]> {
  const newest = await asked.store.hits(asked.scopes, terms, HITS_PER_TERM_MAX)
  if (earlier === undefined) return newest
  const byTerm = Map.groupBy(newest, ({ term }) => term)
  const all: Hit[] = []
  for (const term of terms) {
    // What came later is newer and comes first: read on until there are as many as without it.
    for (let limit = HITS_PER_TERM_MAX; ; limit *= 4) {
      const hits =
        limit === HITS_PER_TERM_MAX ? (byTerm.get(term) ?? []) : await asked.store.hits(asked.scopes, [term], limit)
      const stood = hits.filter(({ thread, place }) => earlier.stands(thread, seqOf(place)))
      if (hits.length === limit && stood.length < HITS_PER_TERM_MAX && limit < HITS_READ_MAX) continue
      all.push(...stood.slice(0, HITS_PER_TERM_MAX))
      break
    }
  }
  return all
}

/** The places that the hits speak for the most. */
export function bestPlaces(
  hits: readonly Hit[],
  concepts: readonly WeighedConcept[],
  limit: number,
): readonly PassageAddress[] {
  const weightOf = new Map(concepts.flatMap(({ terms, idf: weight }) => terms.map((key) => [key, weight])))
  const sums = new Places<PassageAddress & { score: number }>()
  const all: (PassageAddress & { score: number })[] = []
  for (const hit of hits) {
    const score = (weightOf.get(hit.term) ?? 0) * fromImpact(hit.impact)
    const sum = sums.get(hit)
    if (sum !== undefined) sum.score += score
    else {
      const first = { thread: hit.thread, place: hit.place, score }
      sums.set(hit, first)
      all.push(first)
    }
  }
  return all.toSorted((a, b) => b.score - a.score || b.thread - a.thread || b.place - a.place).slice(0, limit)
}
