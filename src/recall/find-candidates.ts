import type { Hit, RecallStore, Shelf, Term } from '../ports/recall-store.ts'
import { fromImpact, idf, saturation } from './bm25.ts'
import type { PassageRow } from '../ports/recall-store.ts'
import type { Earlier, EarlierPassage } from './earlier-passages.ts'
import { placeOf, seqOf } from './place.ts'
import { type AskedDate, occurrence } from './question-dates.ts'
import type { Ranking, Support, WeighedConcept } from './rank.ts'
import type { Question } from './read-question.ts'

/** Where something was found: a passage's address. */
export interface Place {
  readonly thread: number
  readonly place: number
}

/** A place that was found by other means than words. */
export interface SupportedPlace extends Place, Support {}

export interface Search {
  readonly question: Question
  readonly shelves: readonly Shelf[]
  /** Only what was said from `from` on and before `to`. */
  readonly during: { readonly from: number; readonly to: number } | undefined
  readonly supported: readonly SupportedPlace[]
  /** With `asOf`: what stood otherwise then. */
  readonly earlier: Earlier | undefined
  readonly now: number
}

const HITS_PER_TERM_MAX = 400
/** More words than this find nothing that the rarest of them do not. */
const CONCEPTS_MAX = 64
/** Of a long text the question itself is mostly the end. */
const LAST_CONCEPTS = 16
const PASSAGES_MAX = 200
/** An answer often shares no word with its question; the passages around it do. */
const NEIGHBOURS = 4
/** Neighbours are scored by their own neighbours, three further. */
const REACH = NEIGHBOURS + 3
/** Whoever asks for a time before the last so many mentions of a word gets those that he reached. */
const HITS_READ_MAX = 25_600
const PASSAGES_PER_DAY_MAX = 400
const PASSAGES_DURING_MAX = 2_000
const YEARS_BACK = 5
const KEY_MAX = 0xffff_ffff

/** Finds what may answer a question: by words, by the days it names, and by whatever else supports a place; united. */
export async function findCandidates(store: RecallStore, search: Search): Promise<Ranking> {
  const { question, shelves } = search
  const keys = shelves.map(({ key }) => key)
  const forms = [...new Set(question.concepts.flatMap(({ forms: own, otherForms }) => [...own, ...otherForms]))]
  const stored = await store.terms(keys, forms)
  const { added, rows: then } = earlierTerms(stored, forms, search.earlier?.passages ?? [])
  const concepts = weighConcepts(search, [...stored, ...added])
  const hits = await hitsThen(store, [...new Set(concepts.flatMap(({ terms }) => terms))], search.earlier)
  const best = bestPlaces(hits, concepts)
  const dated = await datedPlaces(store, search)
  const places = [...best, ...dated, ...search.supported, ...then.filter(({ terms }) => terms.length > 0)]
  const found = await store.around(places, { passages: REACH, distance: placeOf(REACH, 0) })
  const stretches = search.earlier === undefined ? found : stretchesThen(found, search.earlier, then)
  const supported = new Places<Support>()
  for (const place of search.supported) supported.set(place, place)
  const words = shelves.reduce((sum, shelf) => sum + shelf.words, 0)
  const passages = shelves.reduce((sum, shelf) => sum + shelf.passages, 0)
  return {
    question,
    concepts,
    averageLength: Math.max(1, words / Math.max(1, passages)),
    sessions: await sessionScores(store, hits, concepts, shelves),
    stretches,
    isCandidate: nearOneOf(places, stretches),
    support: (passage) => supported.get(passage),
    now: search.now,
  }
}

/** The best hits of each term; of those that stood at a moment, where one is asked for. */
async function hitsThen(
  store: RecallStore,
  terms: readonly number[],
  earlier: Earlier | undefined,
): Promise<readonly Hit[]> {
  if (earlier === undefined) return store.hits(terms, HITS_PER_TERM_MAX)
  const all: Hit[] = []
  for (const term of terms) {
    // What came later is newer and comes first: read on until there are as many as without it.
    for (let limit = HITS_PER_TERM_MAX; ; limit *= 4) {
      const hits = await store.hits([term], limit)
      const stood = hits.filter(({ thread, place }) => earlier.stands(thread, seqOf(place)))
      if (hits.length === limit && stood.length < HITS_PER_TERM_MAX && limit < HITS_READ_MAX) continue
      all.push(...stood.slice(0, HITS_PER_TERM_MAX))
      break
    }
  }
  return all
}

/** Stretches as they were: without what came later or was other, and with what stood there instead. */
function stretchesThen(
  stretches: readonly (readonly PassageRow[])[],
  earlier: Earlier,
  rows: readonly PassageRow[],
): readonly (readonly PassageRow[])[] {
  const reach = placeOf(REACH, 0)
  const all = stretches.flatMap((stretch) => {
    const [first, last] = [stretch[0], stretch.at(-1)]
    if (first === undefined || last === undefined) return []
    const stood = stretch.filter(({ thread, place }) => earlier.stands(thread, seqOf(place)))
    return [{ thread: first.thread, from: first.place - reach, through: last.place + reach, rows: stood }]
  })
  for (const row of rows.toSorted((a, b) => a.thread - b.thread || a.place - b.place)) {
    const { thread, place } = row
    const around = all.find((one) => one.thread === thread && one.from <= place && place <= one.through)
    if (around === undefined) all.push({ thread, from: place - reach, through: place + reach, rows: [row] })
    else {
      around.rows.push(row)
      around.through = Math.max(around.through, place + reach)
    }
  }
  return all.map((one) => one.rows.toSorted((a, b) => a.place - b.place))
}

/** A map by place without a string for each: there are thousands. */
class Places<Value> {
  readonly #threads = new Map<number, Map<number, Value>>()

  get({ thread, place }: Place): Value | undefined {
    return this.#threads.get(thread)?.get(place)
  }

  set({ thread, place }: Place, value: Value): void {
    const places = this.#threads.get(thread) ?? new Map<number, Value>()
    if (places.size === 0) this.#threads.set(thread, places)
    places.set(place, value)
  }
}

function weighConcepts({ question, shelves, earlier }: Search, terms: readonly Term[]): readonly WeighedConcept[] {
  const byTerm = Map.groupBy(terms, ({ term }) => term)
  const passages = shelves.reduce((sum, shelf) => sum + shelf.passages, earlier?.passages.length ?? 0)
  const weighed = question.concepts.map((concept) => {
    const own = concept.forms.flatMap((form) => byTerm.get(form) ?? [])
    const found = own.length > 0 ? own : concept.otherForms.flatMap((form) => byTerm.get(form) ?? [])
    const frequency = Math.min(
      passages,
      found.reduce((sum, term) => sum + term.passages, 0),
    )
    // A word that stands nowhere tells nothing apart; counted, it would only make the others look small.
    const rarity = frequency === 0 ? 0 : idf(passages, frequency)
    return { ...concept, idf: concept.weight * rarity, terms: found.map(({ key }) => key) }
  })
  return weighed.length <= CONCEPTS_MAX ? weighed : rarest(weighed)
}

/** The last words of the question that stand anywhere, and the rarest of the others. */
function rarest(concepts: readonly WeighedConcept[]): readonly WeighedConcept[] {
  const found = concepts.filter(({ idf: weight }) => weight > 0)
  const others = found.slice(0, -LAST_CONCEPTS).toSorted((a, b) => b.idf - a.idf)
  return [...others.slice(0, CONCEPTS_MAX - LAST_CONCEPTS), ...found.slice(-LAST_CONCEPTS)]
}

/** Passages that the index does not have, in its terms; words that it does not have get keys from the other end. */
function earlierTerms(
  stored: readonly Term[],
  forms: readonly string[],
  passages: readonly EarlierPassage[],
): { readonly added: readonly Term[]; readonly rows: readonly PassageRow[] } {
  const keys = new Map(stored.map(({ term, key }) => [term, key]))
  const added: Term[] = []
  for (const [index, term] of forms.entries()) {
    const count = keys.has(term) ? 0 : passages.filter(({ terms }) => terms.some((one) => one.term === term)).length
    if (count === 0) continue
    keys.set(term, KEY_MAX - index)
    added.push({ key: KEY_MAX - index, shelf: 0, term, passages: count })
  }
  const rows = passages.flatMap((passage): readonly PassageRow[] => {
    const terms = passage.terms.flatMap(({ term, weight, impact }) => {
      const key = keys.get(term)
      return key === undefined ? [] : [key, weight * 256 + impact]
    })
    return [{ ...passage, terms: Uint32Array.from(terms) }]
  })
  return { added, rows }
}

function bestPlaces(hits: readonly Hit[], concepts: readonly WeighedConcept[]): readonly Place[] {
  const weightOf = new Map(concepts.flatMap(({ terms, idf: weight }) => terms.map((key) => [key, weight])))
  const sums = new Places<Place & { score: number }>()
  const all: (Place & { score: number })[] = []
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
  return all.toSorted((a, b) => b.score - a.score || b.thread - a.thread || b.place - a.place).slice(0, PASSAGES_MAX)
}

/** What was said on a day, in a month or season that the question names, and, where the caller gave a time, everything said then. */
async function datedPlaces(store: RecallStore, { question, shelves, during, now }: Search): Promise<readonly Place[]> {
  const places: Place[] = []
  for (const { key: shelf } of shelves) {
    for (const { from, to } of question.dates.flatMap((date) => daysOf(date, now)))
      places.push(...(await store.passages({ shelf, from, to, limit: PASSAGES_PER_DAY_MAX })))
    if (during !== undefined) places.push(...(await store.passages({ shelf, ...during, limit: PASSAGES_DURING_MAX })))
  }
  return places
}

function daysOf(date: AskedDate, now: number): readonly { readonly from: number; readonly to: number }[] {
  if (!date.yearly) return date.grain === 'year' ? [] : [date]
  if (date.grain !== 'day') return []
  const year = new Date(now).getUTCFullYear()
  return Array.from({ length: YEARS_BACK }, (_, back) => occurrence(date, Date.UTC(year - back, 6)))
}

async function sessionScores(
  store: RecallStore,
  hits: readonly Hit[],
  concepts: readonly WeighedConcept[],
  shelves: readonly Shelf[],
): Promise<ReadonlyMap<number, number>> {
  const found = new Map<number, Map<number, number>>()
  for (const { term, thread } of hits) {
    const counts = found.get(thread) ?? new Map<number, number>()
    counts.set(term, (counts.get(term) ?? 0) + 1)
    found.set(thread, counts)
  }
  const words = shelves.reduce((sum, shelf) => sum + shelf.words, 0)
  const average = Math.max(
    1,
    words /
      Math.max(
        1,
        shelves.reduce((sum, shelf) => sum + shelf.threads, 0),
      ),
  )
  const scores = new Map<number, number>()
  for (const { thread, words: length } of await store.threads([...found.keys()])) {
    let score = 0
    for (const concept of concepts) {
      const count = concept.terms.reduce((sum, key) => sum + (found.get(thread)?.get(key) ?? 0), 0)
      if (count > 0) score += concept.idf * saturation(count, length, average)
    }
    scores.set(thread, score)
  }
  const top = Math.max(...scores.values(), Number.MIN_VALUE)
  return new Map([...scores].map(([thread, score]) => [thread, score / top]))
}

function nearOneOf(
  places: readonly Place[],
  stretches: readonly (readonly PassageRow[])[],
): (passage: PassageRow) => boolean {
  const found = new Places<true>()
  for (const place of places) found.set(place, true)
  const near = new Set<PassageRow>()
  for (const stretch of stretches) {
    for (const [at, passage] of stretch.entries()) {
      if (found.get(passage) !== true) continue
      for (let other = at - NEIGHBOURS; other <= at + NEIGHBOURS; other++) {
        const neighbour = stretch[other]
        if (neighbour !== undefined) near.add(neighbour)
      }
    }
  }
  return (passage) => near.has(passage)
}
