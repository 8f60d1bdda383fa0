import type { Hit, PassageRow, Shelf, Term } from '../ports/recall-store.ts'
import type { AskedIndex } from './asked-index.ts'
import { earlierTerms, stretchesThen } from './as-of.ts'
import { idf, saturation } from './bm25.ts'
import type { Earlier } from './earlier-passages.ts'
import { bestPlaces, findHits } from './hits.ts'
import { placeOf } from './place.ts'
import { type PassageAddress, Places } from './places.ts'
import { type AskedDate, occurrence } from './question-dates.ts'
import { type Ranking, SIMILAR_SHARE, type Support, type WeighedConcept } from './rank.ts'
import type { Concept, Question } from './read-question.ts'
import { compoundTerms, similarTerms } from './similar-terms.ts'

/** A place that was found by other means than words. */
export interface SupportedPlace extends PassageAddress, Support {}

export interface Candidates extends Ranking {
  /** Of sessions, by their threads: those that were asked for on the way. */
  readonly names: ReadonlyMap<number, string | null>
}

export interface Search {
  readonly question: Question
  readonly shelves: readonly Shelf[]
  /** Only what was said from `from` on and before `to`. */
  readonly during: { readonly from: number; readonly to: number } | undefined
  readonly supported: () => Promise<readonly SupportedPlace[]>
  /** With `asOf`: what stood otherwise then. */
  readonly earlier: Earlier | undefined
  /** What whoever asks can see already, such as the message that asks. */
  readonly isShown?: ((passage: Pick<PassageRow, 'thread' | 'place' | 'reference'>) => boolean) | undefined
  readonly now: number
}

/** More words than this find nothing that the rarest of them do not. */
const CONCEPTS_MAX = 64
/** Of a long text the question itself is mostly the end. */
const LAST_CONCEPTS = 16
const PLACES_MAX = 200
/** Reading passages is what a question costs. Those after the best speak for themselves, not for their neighbours. */
const PLACES_WITH_NEIGHBOURS = 100
/** An answer often shares no word with its question; the passages around it do. */
const NEIGHBOURS = 4
/** Neighbours are scored by their own neighbours, three further. */
const REACH = NEIGHBOURS + 3
const DISTANCE = placeOf(REACH, 0)
const PASSAGES_PER_DAY_MAX = 400
const PASSAGES_DURING_MAX = 2_000
const YEARS_BACK = 5
/** A term with more passages occurs elsewhere too: a context shows few messages with the same rare word. */
const RARE_PASSAGES = 16
/** Of the rarest word's worth. */
const COMMON_WORTH_MIN = 0.35
/** Of the rarest word's worth, for the kind of thing asked for where no message names it. */
const ABSENT_CLASS_WORTH = 0.5

/** Finds what may answer a question: by words, by the days it names, and by whatever else supports a place; united. */
export async function findCandidates(asked: AskedIndex, search: Search): Promise<Candidates> {
  const { question, shelves } = search
  // None of them waits for another: what they ask for travels together where there is a way to go.
  const [{ concepts, hits, stood }, dated, places] = await Promise.all([
    findWords(asked, search),
    datedPlaces(asked, search),
    search.supported(),
  ])
  const best = bestPlaces(hits, concepts, PLACES_MAX)
  const near = [
    ...best.slice(0, PLACES_WITH_NEIGHBOURS),
    ...dated,
    ...places,
    ...stood.filter(({ terms }) => terms.length > 0),
  ]
  const [{ found, alone }, { scores, names }] = await Promise.all([
    readPassages(asked, near, best.slice(PLACES_WITH_NEIGHBOURS)),
    sessionScores(asked, hits, concepts, shelves),
  ])
  const stretches = search.earlier === undefined ? found : stretchesThen(found, search.earlier, stood, DISTANCE)
  const only = new Set(alone.flat())
  const isNear = nearOneOf([...near, ...best], stretches)
  const supported = new Places<Support>()
  for (const place of places) supported.set(place, place)
  const words = shelves.reduce((sum, shelf) => sum + shelf.words, 0)
  const passages = shelves.reduce((sum, shelf) => sum + shelf.passages, 0)
  return {
    question,
    concepts,
    averageLength: Math.max(1, words / Math.max(1, passages)),
    sessions: scores,
    names,
    stretches: [...stretches, ...alone],
    isCandidate: (passage) => isNear(passage) || only.has(passage),
    support: (passage) => supported.get(passage),
    now: search.now,
  }
}

interface Words {
  readonly concepts: readonly WeighedConcept[]
  readonly hits: readonly Hit[]
  /** With `asOf`: what stood otherwise then. */
  readonly stood: readonly PassageRow[]
}

async function findWords(asked: AskedIndex, search: Search): Promise<Words> {
  const { question, shelves, earlier } = search
  const keys = shelves.map(({ key }) => key)
  const look = async (forms: readonly string[]): Promise<readonly Term[]> =>
    forms.length === 0 ? [] : notOnlyShown(asked, await asked.store.terms(asked.scopes, keys, forms), search.isShown)
  const forms = [...new Set(question.concepts.flatMap((concept) => [...concept.forms, ...concept.related]))]
  const own = await look(forms)
  const ownForms = new Set(own.map(({ term }) => term))
  const others = question.concepts
    .filter((concept) => !concept.forms.some((form) => ownForms.has(form)))
    .flatMap((concept) => concept.otherForms())
  const more = [...new Set(others)].filter((form) => !forms.includes(form))
  const stored = [...own, ...(await look(more))]
  const { added, rows: stood } = earlierTerms(stored, [...forms, ...more], earlier?.passages ?? [])
  const known = new Set([...stored, ...added].map(({ term }) => term))
  const missing = question.concepts.filter(
    (concept) =>
      !concept.forms.some((form) => known.has(form)) && !concept.otherForms().some((form) => known.has(form)),
  )
  const [similar, compounds] = await Promise.all([
    similarTerms(
      asked,
      shelves,
      missing.filter(({ related }) => !related.some((term) => known.has(term))),
    ),
    compoundTerms(
      asked,
      shelves,
      question.concepts.filter((concept) => !missing.includes(concept)),
    ),
  ])
  const concepts = weighConcepts(search, [...stored, ...added], { similar, compounds })
  return { concepts, hits: await findHits(asked, concepts, { terms: stored, earlier }), stood }
}

/** The terms that occur elsewhere than in what is shown: a misspelt word of the question is in the message that asks. */
async function notOnlyShown(
  asked: AskedIndex,
  terms: readonly Term[],
  isShown: Search['isShown'],
): Promise<readonly Term[]> {
  const rare = new Set(terms.filter(({ passages }) => passages <= RARE_PASSAGES).map(({ key }) => key))
  if (isShown === undefined || rare.size === 0) return terms
  const hits = await asked.store.hits(asked.scopes, [...rare], RARE_PASSAGES)
  const elsewhere = Map.groupBy(
    hits.filter((hit) => !isShown({ ...hit, reference: '' })),
    ({ term }) => term,
  )
  return terms.flatMap((term) => {
    const passages = rare.has(term.key) ? (elsewhere.get(term.key)?.length ?? 0) : term.passages
    return passages === 0 ? [] : [{ ...term, passages }]
  })
}

type Stretches = readonly (readonly PassageRow[])[]

/** Places with their neighbours; and further ones by themselves, where no stretch has them. */
async function readPassages(
  asked: AskedIndex,
  near: readonly PassageAddress[],
  further: readonly PassageAddress[],
): Promise<{ readonly found: Stretches; readonly alone: Stretches }> {
  const { inside, outside } = parted(further, near)
  const [found, apart] = await Promise.all([
    asked.store.around(asked.scopes, near, { passages: REACH, distance: DISTANCE }),
    aloneAt(asked, outside),
  ])
  const read = new Places<true>()
  for (const stretch of found) for (const passage of stretch) read.set(passage, true)
  const isRead = (place: PassageAddress): boolean => read.get(place) === true
  // A stretch of long messages ends before its distance does, or goes on after it.
  const missed = await aloneAt(
    asked,
    inside.filter((place) => !isRead(place)),
  )
  return { found, alone: [...apart.filter((stretch) => !stretch.some(isRead)), ...missed] }
}

/** Those that lie within the distance of another place, and those that do not. */
function parted(
  places: readonly PassageAddress[],
  others: readonly PassageAddress[],
): { readonly inside: readonly PassageAddress[]; readonly outside: readonly PassageAddress[] } {
  const byThread = Map.groupBy(others, ({ thread }) => thread)
  const isInside = ({ thread, place }: PassageAddress): boolean =>
    byThread.get(thread)?.some((other) => Math.abs(other.place - place) <= DISTANCE) === true
  const { inside = [], outside = [] } = Object.groupBy(places, (place) => (isInside(place) ? 'inside' : 'outside'))
  return { inside, outside }
}

async function aloneAt(asked: AskedIndex, places: readonly PassageAddress[]): Promise<Stretches> {
  return places.length === 0 ? [] : asked.store.around(asked.scopes, places, { passages: 0, distance: 0 })
}

function weighConcepts(
  { question, shelves, earlier }: Search,
  terms: readonly Term[],
  { similar, compounds }: Readonly<Record<'similar' | 'compounds', ReadonlyMap<Concept, readonly Term[]>>>,
): readonly WeighedConcept[] {
  const byTerm = Map.groupBy(terms, ({ term }) => term)
  const passages = shelves.reduce((sum, shelf) => sum + shelf.passages, earlier?.passages.length ?? 0)
  const asked = new Set(
    question.concepts.flatMap(({ forms, otherForms }) =>
      forms.some((form) => byTerm.has(form)) ? forms : [...forms, ...otherForms()],
    ),
  )
  const weighed = question.concepts.map((concept) => {
    const own = concept.forms.flatMap((form) => byTerm.get(form) ?? [])
    const other = own.length > 0 ? own : concept.otherForms().flatMap((form) => byTerm.get(form) ?? [])
    const related = concept.related.filter((form) => !asked.has(form)).flatMap((form) => byTerm.get(form) ?? [])
    const alike = other.length > 0 ? [] : (similar.get(concept) ?? related)
    const longer = compounds.get(concept) ?? []
    const found = [...(other.length > 0 ? other : alike), ...longer]
    const frequency = Math.min(
      passages,
      found.reduce((sum, term) => sum + term.passages, 0),
    )
    const beside = other.length > 0 ? related : []
    // A word that stands nowhere tells nothing apart; counted, it would only make the others look small.
    const rarity = frequency === 0 ? 0 : idf(passages, frequency)
    return {
      ...concept,
      idf: concept.weight * rarity * (alike.length > 0 ? SIMILAR_SHARE : 1),
      similar: alike,
      asked: worthOf(concept, passages, frequency),
      terms: [...found, ...beside].map(({ key }) => key),
      weaker: [...longer, ...beside],
      beside: beside.map(({ key }) => key),
    }
  })
  return weighed.length <= CONCEPTS_MAX ? weighed : rarest(weighed)
}

/**
 * What a word is worth in the question. One that stands nowhere is as rare as can be, unless it only frames the question; one
 * that stands everywhere may still be what it is about.
 */
function worthOf(
  { weight, worth, isClass }: Question['concepts'][number],
  passages: number,
  frequency: number,
): number {
  if (frequency === 0 && weight < 1) return 0
  const most = idf(passages, 1)
  if (frequency === 0 && isClass) return ABSENT_CLASS_WORTH * most
  return (
    Math.min(weight, worth) *
    Math.max(COMMON_WORTH_MIN * most, frequency === 0 ? most : Math.min(most, idf(passages, frequency)))
  )
}

/** The last words of the question that stand anywhere, and the rarest of the others. */
function rarest(concepts: readonly WeighedConcept[]): readonly WeighedConcept[] {
  const found = concepts.filter(({ idf: weight }) => weight > 0)
  const others = found.slice(0, -LAST_CONCEPTS).toSorted((a, b) => b.idf - a.idf)
  return [...others.slice(0, CONCEPTS_MAX - LAST_CONCEPTS), ...found.slice(-LAST_CONCEPTS)]
}

/** What was said on a day, in a month or season that the question names, and, where the caller gave a time, everything said then. */
async function datedPlaces(
  asked: AskedIndex,
  { question, shelves, during, now }: Search,
): Promise<readonly PassageAddress[]> {
  const days = question.dates.flatMap((date) => daysOf(date, now, !question.hasContent))
  const ranges = shelves.flatMap(({ key: shelf }) => [
    ...days.map(({ from, to }) => ({ shelf, from, to, limit: PASSAGES_PER_DAY_MAX })),
    ...(during === undefined ? [] : [{ shelf, ...during, limit: PASSAGES_DURING_MAX }]),
  ])
  return (await Promise.all(ranges.map((range) => asked.store.passages(asked.scopes, range)))).flat()
}

/** A month of any year, and a whole year, are looked through only where the question has nothing else. */
function daysOf(
  date: AskedDate,
  now: number,
  isAlone: boolean,
): readonly { readonly from: number; readonly to: number }[] {
  if (!date.yearly) return date.grain === 'year' && !isAlone ? [] : [date]
  if (date.grain !== 'day' && !isAlone) return []
  const year = new Date(now).getUTCFullYear()
  return Array.from({ length: YEARS_BACK }, (_, back) => occurrence(date, Date.UTC(year - back, 6)))
}

async function sessionScores(
  asked: AskedIndex,
  hits: readonly Hit[],
  concepts: readonly WeighedConcept[],
  shelves: readonly Shelf[],
): Promise<{ readonly scores: ReadonlyMap<number, number>; readonly names: Candidates['names'] }> {
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
  const threads = await asked.store.threads(asked.scopes, [...found.keys()])
  for (const { thread, words: length } of threads) {
    let score = 0
    for (const concept of concepts) {
      const count = concept.terms.reduce((sum, key) => sum + (found.get(thread)?.get(key) ?? 0), 0)
      if (count > 0) score += concept.idf * saturation(count, length, average)
    }
    scores.set(thread, score)
  }
  const top = Math.max(...scores.values(), Number.MIN_VALUE)
  return {
    scores: new Map([...scores].map(([thread, score]) => [thread, score / top])),
    names: new Map(threads.map(({ thread, session }) => [thread, session])),
  }
}

function nearOneOf(
  places: readonly PassageAddress[],
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
