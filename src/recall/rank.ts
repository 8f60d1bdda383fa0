import type { PassageRow, Term } from '../ports/recall-store.ts'
import { occurrences, saturation } from './bm25.ts'
import { cueBits, firstOf, properOf } from './passage.ts'
import { dateScore } from './question-dates.ts'
import { type Concept, FAINT_WEIGHT, type Question } from './read-question.ts'
import { TRUST_OF_ROLE } from '../domain/trust.ts'
import type { Signals } from '../api/recall.ts'
import { weighted } from './weights.ts'

/** A concept of the question with what the index knows about it. */
export interface WeighedConcept extends Concept {
  /** Inverse document frequency × the concept's weight. */
  readonly idf: number
  /** What the concept is worth in the question: a word that stands nowhere is as rare as can be. */
  readonly asked: number
  /** Terms of the index that stand in for a word that stands nowhere. */
  readonly similar: readonly Term[]
  readonly terms: readonly number[]
  /** Those of its terms that count half: longer words with this one in them, and related words. */
  readonly weaker: readonly Term[]
}

/** What else speaks for a place: slots for an embedder and for the graph. */
export interface Support {
  readonly vector?: number
  readonly edge?: string
  /** The fact is about the user who asks, so it is found although the question names nobody. */
  readonly asker?: true
}

export interface Ranking {
  readonly question: Question
  readonly concepts: readonly WeighedConcept[]
  readonly averageLength: number
  /** BM25 of whole conversations against the best one, from 0 to 1. */
  readonly sessions: ReadonlyMap<number, number>
  /** Runs of neighbouring passages of one thread, in order. */
  readonly stretches: readonly (readonly PassageRow[])[]
  readonly isCandidate: (passage: PassageRow) => boolean
  readonly support: (passage: PassageRow) => Support | undefined
  readonly now: number
}

export interface Ranked {
  readonly passage: PassageRow
  readonly score: number
  readonly signals: Signals
  /** How much of what the question asks about is in it or beside it, from 0 to 1. */
  readonly relevance: () => number
  /** How near it is to the question by meaning, from 0 to 1; 0 without an embedder. */
  readonly likeness: number
  /** Found only because the question says "I". */
  readonly isAskersOwn: boolean
  /** Which concepts stand in the passage itself. */
  readonly matched: () => readonly WeighedConcept[]
  /** Which stand only around it. */
  readonly nearby: () => readonly WeighedConcept[]
  readonly edge: string | undefined
}

const DAY_MS = 86_400_000
const RECENT_DAYS = 30
const NEIGHBOUR_VECTOR_SHARE = 0.25

interface Weighed {
  readonly passage: PassageRow
  readonly words: number
  /** For each concept, whether it stands here. */
  readonly has: Uint8Array
}

/** Scores every candidate; rarity is added afterwards, to the best of them, because it needs the frequency of every word. */
export function rank(ranking: Ranking): readonly Ranked[] {
  const conceptOf = new Map(ranking.concepts.flatMap(({ terms }, index) => terms.map((key) => [key, index])))
  const weaker = new Set(ranking.concepts.flatMap((concept) => concept.weaker.map(({ key }) => key)))
  const weighed = ranking.stretches.map((stretch) => weigh(stretch, ranking, { conceptOf, weaker }))
  const best = new Map<number, number>()
  for (const stretch of weighed)
    for (const { passage, words } of stretch) best.set(passage.thread, Math.max(best.get(passage.thread) ?? 0, words))
  const total = sumOf(ranking.concepts)
  return weighed.flatMap((stretch) =>
    stretch.flatMap(({ passage, has }, at) => {
      if (!ranking.isCandidate(passage)) return []
      const signals: Signals = {
        ...wordSignals(stretch, at, ranking.concepts, total),
        session: ranking.sessions.get(passage.thread) ?? 0,
        sessionBest: best.get(passage.thread) ?? 0,
        ...askedSignals(passage, ranking.question),
        rarity: 0,
        firstPerson: firstOf(passage.cues),
        names: properOf(passage.cues),
        recency: 1 / (1 + Math.max(0, ranking.now - passage.at) / (RECENT_DAYS * DAY_MS)),
        importance: (passage.cues & cueBits.important) === 0 ? 0 : 1,
        vector: vectorAround(stretch, at, ranking),
        edge: ranking.support(passage)?.edge === undefined ? 0 : 1,
      }
      return [
        {
          passage,
          signals,
          score: weighted(signals),
          relevance: () => coverage(stretch, at, ranking),
          likeness: Math.max(0, ranking.support(passage)?.vector ?? 0),
          isAskersOwn: ranking.support(passage)?.asker === true,
          matched: () =>
            ranking.concepts.filter((_, index) => has[index] === 1).map((concept) => meant(concept, passage)),
          nearby: () =>
            ranking.concepts.filter(
              (_, index) =>
                has[index] === 0 && stretch.slice(Math.max(0, at - 3), at + 4).some((other) => other.has[index] === 1),
            ),
          edge: ranking.support(passage)?.edge,
        },
      ]
    }),
  )
}

/** A concept with the words of the passage that stand for it, where it does not itself occur there. */
function meant(concept: WeighedConcept, { terms }: PassageRow): WeighedConcept {
  if (concept.weaker.length === 0 && concept.similar.length === 0) return concept
  const here = new Set(terms.filter((_, index) => index % 2 === 0))
  const others = [...concept.similar, ...concept.weaker]
  const isItself = concept.terms.some((key) => here.has(key) && !others.some((term) => term.key === key))
  return { ...concept, similar: isItself ? [] : others.filter(({ key }) => here.has(key)) }
}

/** What all of the concepts are worth together; faint ones as if they were not, so that they stay faint where there are no others. */
function sumOf(concepts: readonly WeighedConcept[]): number {
  return concepts.reduce((sum, { idf, weight }) => sum + (weight === FAINT_WEIGHT ? idf / weight : idf), 0) || 1
}

function weigh(
  stretch: readonly PassageRow[],
  { concepts, averageLength }: Ranking,
  { conceptOf, weaker }: { readonly conceptOf: ReadonlyMap<number, number>; readonly weaker: ReadonlySet<number> },
): readonly Weighed[] {
  const total = sumOf(concepts)
  const found = new Float64Array(concepts.length)
  return stretch.map((passage) => {
    const has = new Uint8Array(concepts.length)
    found.fill(0)
    for (let at = 0; at < passage.terms.length; at += 2) {
      const term = passage.terms[at] ?? -1
      const index = conceptOf.get(term)
      if (index === undefined) continue
      const weight = (passage.terms[at + 1] ?? 0) >>> 8
      found[index] = (found[index] ?? 0) + (weaker.has(term) ? weight * SIMILAR_SHARE : weight)
    }
    let words = 0
    for (let index = 0; index < found.length; index++) {
      const weight = found[index] ?? 0
      if (weight === 0) continue
      has[index] = 1
      words += (concepts[index]?.idf ?? 0) * saturation(occurrences(weight), passage.length, averageLength)
    }
    return { passage, words: words / total, has }
  })
}

function wordSignals(
  stretch: readonly Weighed[],
  at: number,
  concepts: readonly WeighedConcept[],
  total: number,
): Pick<Signals, 'words' | 'beside' | 'twoAway' | 'around1' | 'around3' | 'answers'> {
  const words = (index: number): number => stretch[index]?.words ?? 0
  const here = stretch[at]?.passage
  const before = stretch[at - 1]?.passage
  const isAnswer =
    before !== undefined &&
    here !== undefined &&
    (before.cues & cueBits.question) !== 0 &&
    (before.speaker !== here.speaker || before.role !== here.role)
  return {
    words: words(at),
    beside: words(at - 1) + words(at + 1),
    twoAway: words(at - 2) + words(at + 2),
    around1: share(stretch, at, 1, concepts) / total,
    around3: share(stretch, at, 3, concepts) / total,
    answers: isAnswer ? words(at - 1) : 0,
  }
}

const FEW_PASSAGES = 60
/** A word that is only like the one asked for counts half. */
export const SIMILAR_SHARE = 0.5
const SIMILAR_SHARE_OF_LONG = 0.7
const LONG_WORD = 6
const NEIGHBOUR_SHARE_OF_FEW = 0.4
/** Words beside a passage count less than its own, and those further away still less. */
const SHARES_BY_DISTANCE = [1, 0.8, 0.5, 0.5] as const

/**
 * The share of the question's information that is found here. A steering word such as "continue" counts only beside another,
 * and where little was found at all, what merely stands near it is no answer.
 */
function coverage(stretch: readonly Weighed[], at: number, { concepts, stretches }: Ranking): number {
  let [found, steering, total] = [0, 0, 0]
  for (const [index, { asked, steers, similar, word }] of concepts.entries()) {
    total += asked
    const distance = SHARES_BY_DISTANCE.findIndex(
      (_, away) => stretch[at - away]?.has[index] === 1 || stretch[at + away]?.has[index] === 1,
    )
    const part = asked * (SHARES_BY_DISTANCE[distance] ?? 0) * (similar.length > 0 ? likeness(word) : 1)
    if (steers) steering += distance === 0 ? part : 0
    else found += part
  }
  if (total === 0 || found === 0) return 0
  const isFew = stretches.reduce((sum, { length }) => sum + length, 0) <= FEW_PASSAGES
  const isNeighbour = stretch[at]?.words === 0 && wordSignals(stretch, at, concepts, 1).answers === 0
  return ((found + steering) / total) * (isFew && isNeighbour ? NEIGHBOUR_SHARE_OF_FEW : 1)
}

/** How sure it is that a word which is only like the one asked for is meant: the longer it is, the fewer words are like it. */
function likeness(word: string): number {
  return word.length >= LONG_WORD ? SIMILAR_SHARE_OF_LONG : SIMILAR_SHARE
}

function share(stretch: readonly Weighed[], at: number, reach: number, concepts: readonly WeighedConcept[]): number {
  let sum = 0
  const end = Math.min(stretch.length - 1, at + reach)
  for (let index = 0; index < concepts.length; index++) {
    for (let other = Math.max(0, at - reach); other <= end; other++) {
      if (stretch[other]?.has[index] !== 1) continue
      sum += concepts[index]?.idf ?? 0
      break
    }
  }
  return sum
}

function askedSignals(passage: PassageRow, question: Question): Pick<Signals, 'speaker' | 'date' | 'when' | 'type'> {
  return {
    speaker: speakerSignal(passage, question),
    date: question.dates.length === 0 ? 0 : dateScore(question.dates, passage.at),
    when: question.when && (passage.cues & cueBits.time) !== 0 ? 1 : 0,
    type: hasAskedCue(passage.cues, question.asked) ? 1 : 0,
  }
}

function speakerSignal({ speaker, role }: PassageRow, { speaker: asked }: Question): number {
  if (asked === undefined) return 0.5
  if ('name' in asked) return asked.name === speaker ? 1 : 0
  return role === TRUST_OF_ROLE[asked.role] ? 1 : 0
}

function hasAskedCue(cues: number, asked: Question['asked']): boolean {
  switch (asked) {
    case 'duration':
      return (cues & (cueBits.time | cueBits.number)) !== 0
    case 'count':
      return (cues & cueBits.number) !== 0
    case 'where':
      return (cues & cueBits.place) !== 0
    case 'who':
      return (cues & cueBits.person) !== 0
    case 'why':
      return (cues & cueBits.cause) !== 0
    case 'title':
      return (cues & cueBits.quotation) !== 0
    case undefined:
      return false
  }
}

/** Its own likeness, and a share of its neighbours': a reply is like the question through what was said before it. */
function vectorAround(stretch: readonly Weighed[], at: number, { support }: Ranking): number {
  const of = (index: number): number => {
    const passage = stretch[index]?.passage
    return passage === undefined ? 0 : (support(passage)?.vector ?? 0)
  }
  return of(at) * (1 - 2 * NEIGHBOUR_VECTOR_SHARE) + (of(at - 1) + of(at + 1)) * NEIGHBOUR_VECTOR_SHARE
}
