import type { Analyser } from './analyser.ts'
import type { LanguagePack } from './languages/language-pack.ts'
import type { Token } from './tokenise.ts'

/** Signs found in a passage, one bit each; `first` and `proper` are counts from 0 to 3. */
export const cueBits = {
  question: 1,
  time: 2,
  number: 4,
  quotation: 8,
  place: 16,
  person: 32,
  cause: 64,
  important: 128,
} as const
const FIRST_SHIFT = 8
const PROPER_SHIFT = 10

/** A stretch of a message, at most 60 words: what is found and ranked. */
export interface Passage {
  /** Term to its weight in fifths of an occurrence: side text, such as an image's name, counts three fifths. */
  readonly terms: ReadonlyMap<string, number>
  /** Words, stop words included. */
  readonly length: number
  readonly cues: number
  readonly text: string
  /** Where `text` begins in the whole. */
  readonly start: number
}

const WORDS_MAX = 60
const TEXT_WEIGHT = 5
const SIDE_WEIGHT = 3
/** What comes after 60,000 words of one message is not found by recall; `search` still reads it. */
const PASSAGES_PER_MESSAGE_MAX = 1_000
/** Cue patterns look back and ahead: on a page of text without an end that would add up. */
const CUE_CHARACTERS_MAX = 2_000
/** Sixty words take about 400. Text without spaces may have no word at all, and would be one passage of any length. */
const PASSAGE_CHARACTERS_MAX = 2_400
/** Enough to recognise a language by. */
const LANGUAGE_CHARACTERS_MAX = 10_000
const SIDE_CHARACTERS_MAX = 4_000
/** Of a text that is cut into pieces at once. */
const STRETCH_CHARACTERS = 16_384
/**
 * Up to a stop and what follows it. This is no rule for sentences (`domain/sentence-spans.ts`): the pieces of a text make up the
 * whole text, and an index stays valid only while they stay the same.
 */
const PIECE = /[^.!?。！？\n]*(?:[.!?](?![\s"'”’)\]])[^.!?。！？\n]*)*(?:[.!?。！？\n]+["'”’)\]]*\s*|$)/gu
const QUOTATION = /["“”„«»「『《]|(?<!\p{L})['‘]\p{L}/u
const PROPER = /(?<=[\p{Ll}\p{N},;:)]\s)\p{Lu}\p{L}+/gu
const ENDS_WITH_QUESTION = /[?？]["'”’)\]]*\s*$/

/** Cuts a text into passages at the ends of sentences and lines. `side` is what is beside it, as the name of an image. */
export function cutPassages(analyser: Analyser, text: string, side = ''): readonly Passage[] {
  return [...eachPassage(analyser, text, side)].filter((passage) => passage !== undefined)
}

/**
 * The same one by one, so that whoever reads a long text can let others run in between. Yields `undefined` now and then where
 * there is nothing to find for long.
 */
export function* eachPassage(analyser: Analyser, text: string, side = ''): Generator<Passage | undefined> {
  const { language, beginning, rest } = readBeginning(analyser, text)
  const add = (passage: Passage, nth: number): Passage =>
    nth === 1 && side !== '' ? withSide(analyser, passage, side.slice(0, SIDE_CHARACTERS_MAX)) : passage
  let made = 0
  for (const cut of eachCut(chained(beginning, rest))) {
    if (cut === undefined) {
      yield undefined
      continue
    }
    made += 1
    yield add({ ...makePassage(analyser, language, cut.text, cut.tokens), start: cut.start }, made)
  }
  if (made === 0 && side !== '') yield add({ ...makePassage(analyser, language, '', []), start: 0 }, 1)
}

/** Where the passages of a text stand in it, in the same way. */
export function* eachSpan(
  analyser: Analyser,
  text: string,
): Generator<{ readonly start: number; readonly end: number } | undefined> {
  for (const cut of eachCut(readSentences(analyser, text)))
    yield cut === undefined ? undefined : { start: cut.start, end: cut.start + cut.text.length }
}

interface Cut {
  readonly text: string
  readonly tokens: readonly Token[]
  readonly start: number
}

/** Sentences that make a passage together. */
function* eachCut(read: Iterable<ReadSentence>): Generator<Cut | undefined> {
  let made = 0
  let sentences: string[] = []
  let tokens: Token[] = []
  let [words, characters, end] = [0, 0, 0]
  const finish = (): Cut => {
    const cut = { text: sentences.join(''), tokens, start: end - characters }
    made += 1
    sentences = []
    tokens = []
    words = 0
    characters = 0
    return cut
  }
  for (const { sentence, tokens: found } of read) {
    if (made >= PASSAGES_PER_MESSAGE_MAX) break
    const more = count(found)
    const isFull = words + more > WORDS_MAX || characters + sentence.length > PASSAGE_CHARACTERS_MAX
    if (tokens.length > 0 && isFull) yield finish()
    else if (isFull) {
      // Data without a word: the end of it stands for all of it.
      sentences = []
      characters = 0
      yield undefined
    }
    sentences.push(sentence)
    for (const token of found) tokens.push(token)
    words += more
    characters += sentence.length
    end += sentence.length
  }
  if (sentences.length > 0) yield finish()
}

interface ReadSentence {
  readonly sentence: string
  readonly tokens: readonly Token[]
}

/** The first sentences of a text, the language that they are in, and the other sentences: each is read once. */
function readBeginning(
  analyser: Analyser,
  text: string,
): {
  readonly language: LanguagePack
  readonly beginning: readonly ReadSentence[]
  readonly rest: Iterable<ReadSentence>
} {
  const rest = readSentences(analyser, text)
  const beginning: ReadSentence[] = []
  for (let characters = 0; characters < CUE_CHARACTERS_MAX;) {
    const { value, done } = rest.next()
    if (done === true) break
    beginning.push(value)
    characters += value.sentence.length
  }
  const tokens = beginning.flatMap((one) => one.tokens)
  return { language: analyser.language(text.slice(0, LANGUAGE_CHARACTERS_MAX), tokens), beginning, rest }
}

function* readSentences(analyser: Analyser, text: string): Generator<ReadSentence, undefined> {
  for (const sentence of piecesOf(text)) yield { sentence, tokens: analyser.tokens(sentence) }
}

function* chained<Item>(first: Iterable<Item>, then: Iterable<Item>): Generator<Item> {
  yield* first
  yield* then
}

/** From stop to stop, and no longer than about a passage: a log line of a megabyte has no stop. */
function* piecesOf(text: string): Generator<string> {
  const charactersMax = 600
  for (const sentence of fromStopToStop(text)) {
    for (let start = 0; start < sentence.length;) {
      let end = Math.min(sentence.length, start + charactersMax)
      if (end < sentence.length) {
        // Only in the second half: without a space, a search from the end would go back to the beginning each time.
        const half = start + charactersMax / 2
        const space = sentence.slice(half + 1, end + 1).lastIndexOf(' ')
        if (space >= 0) end = half + space + 2
      }
      yield sentence.slice(start, end)
      start = end
    }
  }
}

/** A stretch at a time: a pattern that runs over megabytes cannot be interrupted. */
function* fromStopToStop(text: string): Generator<string> {
  for (let start = 0; start < text.length;) {
    const stretch = text.slice(start, start + STRETCH_CHARACTERS)
    const isLast = start + stretch.length === text.length
    const sentences = stretch.match(PIECE) ?? []
    let taken = 0
    for (const sentence of sentences) {
      // The last sentence of a stretch may go on: it is read again with the next, unless it fills the stretch.
      const goesOn = !isLast && taken + sentence.length === stretch.length
      if (goesOn && taken > 0) break
      const whole = goesOn ? sentence.slice(0, endOfWord(sentence)) : sentence
      if (whole !== '') yield whole
      taken += whole.length
      if (goesOn) break
    }
    start += taken
  }
}

/** Behind the last space, unless that is far from the end. */
function endOfWord(text: string): number {
  const space = text.slice(text.length / 2).lastIndexOf(' ')
  return space < 0 ? text.length : Math.floor(text.length / 2) + space + 1
}

function count(tokens: readonly Token[]): number {
  return tokens.reduce((sum, { kind }) => sum + (kind === 'piece' ? 0 : 1), 0)
}

function makePassage(
  analyser: Analyser,
  language: LanguagePack,
  text: string,
  tokens: readonly Token[],
): Omit<Passage, 'start'> {
  const terms = new Map<string, number>()
  addTerms(terms, tokens, (token) => analyser.terms(token, language), TEXT_WEIGHT)
  return { terms, length: Math.max(1, count(tokens)), cues: cuesOf(language, text.slice(0, CUE_CHARACTERS_MAX)), text }
}

function withSide(analyser: Analyser, passage: Passage, side: string): Passage {
  const tokens = analyser.tokens(side)
  const terms = new Map(passage.terms)
  const language = analyser.language(side, tokens)
  addTerms(terms, tokens, (token) => analyser.terms(token, language), SIDE_WEIGHT)
  return { ...passage, terms, length: passage.length + count(tokens) }
}

function addTerms(
  terms: Map<string, number>,
  tokens: readonly Token[],
  termsOf: (token: Token) => Iterable<string>,
  weight: number,
): void {
  for (const token of tokens)
    for (const term of termsOf(token)) terms.set(term, Math.min(255, (terms.get(term) ?? 0) + weight))
}

function cuesOf({ cues, capitalsAreNames }: LanguagePack, text: string): number {
  const first = upToThree(text, cues.firstPerson)
  const proper = capitalsAreNames ? upToThree(text, PROPER) : 0
  return (
    (ENDS_WITH_QUESTION.test(text) ? cueBits.question : 0) |
    (cues.time.test(text) ? cueBits.time : 0) |
    (cues.number.test(text) ? cueBits.number : 0) |
    (QUOTATION.test(text) ? cueBits.quotation : 0) |
    (cues.place.test(text) ? cueBits.place : 0) |
    (cues.person.test(text) ? cueBits.person : 0) |
    (cues.cause.test(text) ? cueBits.cause : 0) |
    (first << FIRST_SHIFT) |
    (proper << PROPER_SHIFT)
  )
}

/** How often a global pattern matches. */
function upToThree(text: string, pattern: RegExp): number {
  let found = 0
  for (const _ of text.matchAll(pattern)) {
    found += 1
    if (found === 3) break
  }
  return found
}

export function firstOf(cues: number): number {
  return ((cues >> FIRST_SHIFT) & 3) / 3
}

export function properOf(cues: number): number {
  return ((cues >> PROPER_SHIFT) & 3) / 3
}
