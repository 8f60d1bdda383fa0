import type { PassageRow, Term } from '../ports/recall-store.ts'
import { occurrences, saturation } from './bm25.ts'
import { cueBits, firstOf, properOf } from './passage.ts'
import { dateScore } from './question-dates.ts'
import { type Concept, FAINT_WEIGHT, type Question } from './read-question.ts'
import { TRUST_OF_ROLE } from '../domain/trust.ts'
import type { Signals } from '../api/recall.ts'
import { weighted, weights } from './weights.ts'

/** A concept of the question with what the index knows about it. */
export interface WeighedConcept extends Concept {
  /** Inverse document frequency × the concept's weight. */
  readonly idf: number
  /** What the concept is worth in the question: a word that stands nowhere is as rare as can be. */
  readonly asked: number
  /** Terms of the index that stand in for a word that stands nowhere. */
  readonly similar: readonly Term[]
  readonly terms: readonly number[]
  /** Those of its terms that count less: longer words with this one in them, and related words. */
  readonly weaker: readonly Term[]
  /** The related ones among them. */
  readonly beside: readonly number[]
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

const DAY_MS = 86_400_000
const RECENT_DAYS = 30
const NEIGHBOUR_VECTOR_SHARE = 0.25

interface Weighed {
  readonly passage: PassageRow
  readonly words: number
  /** Which concepts are here: a bit for each of the first 32, and for each of the others. */
  readonly low: number
  readonly high: number
}

/** Scores every candidate; rarity is added afterwards, to the best of them, because it needs the frequency of every word. */
export function rank(ranking: Ranking): readonly Ranked[] {
  const total = sumOf(ranking.concepts)
  const weigh = weigher(ranking, total)
  const weighed = ranking.stretches.map((stretch) => stretch.map(weigh))
  const best = new Map<number, number>()
  for (const stretch of weighed)
    for (const { passage, words } of stretch) {
      if (words > (best.get(passage.thread) ?? 0)) best.set(passage.thread, words)
    }
  const ranked: Ranked[] = []
  for (const stretch of weighed)
    for (let at = 0; at < stretch.length; at++) {
      const passage = stretch[at]?.passage
      if (passage === undefined || !ranking.isCandidate(passage)) continue
      const signals = signalsAt(stretch, at, ranking, { total, best: best.get(passage.thread) ?? 0 })
      ranked.push(new Ranked({ ranking, stretch, at, passage }, signals))
    }
  return ranked
}

interface Where {
  readonly ranking: Ranking
  readonly stretch: readonly Weighed[]
  readonly at: number
  readonly passage: PassageRow
}

/** A candidate with its score. What only the few that are shown need is worked out when it is asked for. */
export class Ranked {
  readonly passage: PassageRow
  readonly signals: Signals
  readonly score: number
  readonly #where: Where

  constructor(where: Where, signals: Signals, score: number = weighted(signals)) {
    this.#where = where
    this.passage = where.passage
    this.signals = signals
    this.score = score
  }

  withRarity(rarity: number): Ranked {
    return new Ranked(this.#where, { ...this.signals, rarity }, this.score + weights.rarity * rarity)
  }

  /** How much of what the question asks about is in it or beside it, from 0 to 1. */
  relevance(): number {
    return coverage(this.#where)
  }

  /** How near it is to the question by meaning, from 0 to 1; 0 without an embedder. */
  get likeness(): number {
    return Math.max(0, this.#support?.vector ?? 0)
  }

  /** Found only because the question says "I". */
  get isAskersOwn(): boolean {
    return this.#support?.asker === true
  }

  get edge(): string | undefined {
    return this.#support?.edge
  }

  /** Which concepts stand in the passage itself. */
  matched(): readonly WeighedConcept[] {
    const { ranking, stretch, at } = this.#where
    return ranking.concepts.filter((_, index) => has(stretch[at], index)).map((one) => meant(one, this.passage))
  }

  /** Which stand only around it. */
  nearby(): readonly WeighedConcept[] {
    const { ranking, stretch, at } = this.#where
    const around = stretch.slice(Math.max(0, at - 3), at + 4)
    return ranking.concepts.filter((_, index) => !has(stretch[at], index) && around.some((other) => has(other, index)))
  }

  get #support(): Support | undefined {
    return this.#where.ranking.support(this.passage)
  }
}

function has(weighed: Weighed | undefined, index: number): boolean {
  if (weighed === undefined) return false
  return ((index < 32 ? weighed.low >>> index : weighed.high >>> (index - 32)) & 1) === 1
}

function signalsAt(
  stretch: readonly Weighed[],
  at: number,
  ranking: Ranking,
  { total, best }: { readonly total: number; readonly best: number },
): Signals {
  const { question, concepts } = ranking
  const passage = stretch[at]?.passage as PassageRow
  const words = (index: number): number => stretch[index]?.words ?? 0
  return {
    words: words(at),
    beside: words(at - 1) + words(at + 1),
    twoAway: words(at - 2) + words(at + 2),
    around1: share(stretch, at, 1, concepts) / total,
    around3: share(stretch, at, 3, concepts) / total,
    session: ranking.sessions.get(passage.thread) ?? 0,
    sessionBest: best,
    answers: answeredWords(stretch, at),
    speaker: speakerSignal(passage, question),
    date: question.dates.length === 0 ? 0 : dateScore(question.dates, passage.at),
    when: question.when && (passage.cues & cueBits.time) !== 0 ? 1 : 0,
    type: hasAskedCue(passage.cues, question.asked) ? 1 : 0,
    rarity: 0,
    firstPerson: firstOf(passage.cues),
    names: properOf(passage.cues),
    recency: 1 / (1 + Math.max(0, ranking.now - passage.at) / (RECENT_DAYS * DAY_MS)),
    importance: (passage.cues & cueBits.important) === 0 ? 0 : 1,
    vector: vectorAround(stretch, at, ranking),
    edge: ranking.support(passage)?.edge === undefined ? 0 : 1,
  }
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

/** Most words of a passage are none of the question's: one look into a short table says so. */
const TERMS_FILTERED = 4_096

function weigher({ concepts, averageLength }: Ranking, total: number): (passage: PassageRow) => Weighed {
  const conceptOf = new Map(concepts.flatMap(({ terms }, index) => terms.map((key) => [key, index])))
  const shareOf = new Map(concepts.flatMap(({ weaker }) => weaker.map(({ key }) => [key, SIMILAR_SHARE])))
  for (const { beside } of concepts) for (const key of beside) shareOf.set(key, RELATED_SHARE)
  const maybe = new Uint8Array(TERMS_FILTERED)
  for (const key of conceptOf.keys()) maybe[key % TERMS_FILTERED] = 1
  const found = new Float64Array(concepts.length)
  return (passage) => {
    const { terms } = passage
    found.fill(0)
    for (let at = 0; at < terms.length; at += 2) {
      const term = terms[at] ?? 0
      if (maybe[term % TERMS_FILTERED] === 0) continue
      const index = conceptOf.get(term)
      if (index === undefined) continue
      const weight = (terms[at + 1] ?? 0) >>> 8
      found[index] = (found[index] ?? 0) + weight * (shareOf.get(term) ?? 1)
    }
    let [words, low, high] = [0, 0, 0]
    for (let index = 0; index < found.length; index++) {
      const weight = found[index] ?? 0
      if (weight === 0) continue
      if (index < 32) low |= 1 << index
      else high |= 1 << (index - 32)
      words += (concepts[index]?.idf ?? 0) * saturation(occurrences(weight), passage.length, averageLength)
    }
    return { passage, words: words / total, low, high }
  }
}

/** The words of the question before it, if somebody else answers one here. */
function answeredWords(stretch: readonly Weighed[], at: number): number {
  const [before, here] = [stretch[at - 1], stretch[at]]
  if (before === undefined || here === undefined || (before.passage.cues & cueBits.question) === 0) return 0
  const isSame = before.passage.speaker === here.passage.speaker && before.passage.role === here.passage.role
  return isSame ? 0 : before.words
}

const FEW_PASSAGES = 60
/** A word that is only like the one asked for counts half. */
export const SIMILAR_SHARE = 0.5
/** A related word, where the word asked for occurs too. */
const RELATED_SHARE = 0.25
const SIMILAR_SHARE_OF_LONG = 0.7
const LONG_WORD = 6
const NEIGHBOUR_SHARE_OF_FEW = 0.4
/** Words beside a passage count less than its own, and those further away still less. */
const SHARES_BY_DISTANCE = [1, 0.8, 0.5, 0.5] as const

/**
 * The share of the question's information that is found here. A steering word such as "continue" counts only beside another,
 * and where little was found at all, what merely stands near it is no answer.
 */
function coverage({ stretch, at, ranking: { concepts, stretches } }: Where): number {
  let [found, steering, total] = [0, 0, 0]
  for (const [index, { asked, steers, similar, word }] of concepts.entries()) {
    total += asked
    const distance = SHARES_BY_DISTANCE.findIndex(
      (_, away) => has(stretch[at - away], index) || has(stretch[at + away], index),
    )
    const part = asked * (SHARES_BY_DISTANCE[distance] ?? 0) * (similar.length > 0 ? likeness(word) : 1)
    if (steers) steering += distance === 0 ? part : 0
    else found += part
  }
  if (total === 0 || found === 0) return 0
  const isFew = stretches.reduce((sum, { length }) => sum + length, 0) <= FEW_PASSAGES
  const isNeighbour = stretch[at]?.words === 0 && answeredWords(stretch, at) === 0
  return ((found + steering) / total) * (isFew && isNeighbour ? NEIGHBOUR_SHARE_OF_FEW : 1)
}

/** How sure it is that a word which is only like the one asked for is meant: the longer it is, the fewer words are like it. */
function likeness(word: string): number {
  return word.length >= LONG_WORD ? SIMILAR_SHARE_OF_LONG : SIMILAR_SHARE
}

function share(stretch: readonly Weighed[], at: number, reach: number, concepts: readonly WeighedConcept[]): number {
  let [low, high, sum] = [0, 0, 0]
  const end = Math.min(stretch.length - 1, at + reach)
  for (let other = Math.max(0, at - reach); other <= end; other++) {
    low |= stretch[other]?.low ?? 0
    high |= stretch[other]?.high ?? 0
  }
  if ((low | high) === 0) return 0
  for (let index = 0; index < concepts.length; index++)
    if (((index < 32 ? low >>> index : high >>> (index - 32)) & 1) === 1) sum += concepts[index]?.idf ?? 0
  return sum
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
