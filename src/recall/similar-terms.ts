import type { Shelf, Term } from '../ports/recall-store.ts'
import type { AskedIndex } from './asked-index.ts'
import type { Concept } from './read-question.ts'

/** A short word has too many neighbours. */
const LETTERS_MIN = 4
const LETTERS_FOR_TWO_EDITS = 7
/** Of so short words many differ in one letter: "hour" and "hous", the stem of "housing". A letter too many or too few is a slip all the same. */
const LETTERS_FOR_A_REPLACED_ONE = 5
const LETTERS_OF_PART_MIN = 5
const WORDS_MAX = 4
const TERMS_MAX = 12
/** The vocabulary is read from end to end: in a very large index that takes too long. */
const PASSAGES_MAX = 150_000
const WORD = /^[\p{L}\p{M}]+$/u
const ARABIC = /^\p{Script=Arabic}+$/u
const ARABIC_ARTICLE = /^(?:[وبكف]?ال|لل)(?=.{3})/u
/** What a form of the present begins with: he, she, we or I do it. */
const ARABIC_PRESENT = /^[ينتأا](?=.{3})/u
/** Long vowels, by which an Arabic word and its plural differ: عقد and عقود. */
const ARABIC_VOWELS = /(?<=.)[اوي]/gu
/** Nearer than any misspelling. */
const COMPOUND_DISTANCE = 0.5
/** Further than one wrong letter, nearer than two. */
const PART_DISTANCE = 1.5

/** For a word of the question that occurs nowhere, the terms of the index that it may mean: misspelt, inflected, part of a compound. */
export async function similarTerms(
  asked: AskedIndex,
  shelves: readonly Shelf[],
  missing: readonly Concept[],
): Promise<ReadonlyMap<Concept, readonly Term[]>> {
  return lookUp(asked, shelves, missing, { partsOf, choose: closest })
}

/** For a word that occurs, in a language that writes compounds as one word: the longer words that begin or end with it. */
export async function compoundTerms(
  asked: AskedIndex,
  shelves: readonly Shelf[],
  known: readonly Concept[],
): Promise<ReadonlyMap<Concept, readonly Term[]>> {
  return lookUp(
    asked,
    shelves,
    known.filter(({ inCompounds }) => inCompounds === 'always'),
    {
      partsOf: ({ word, forms }) => [word, forms[0] ?? word, forms[0] ?? word],
      choose: ({ word, forms }, terms) =>
        terms.filter(({ term }) => [word, forms[0] ?? word].some((own) => isPart(own, term))),
    },
  )
}

async function lookUp(
  asked: AskedIndex,
  shelves: readonly Shelf[],
  concepts: readonly Concept[],
  {
    partsOf: parts,
    choose,
  }: {
    readonly partsOf: (concept: Concept) => readonly [string, string, string]
    readonly choose: (concept: Concept, terms: readonly Term[]) => readonly Term[]
  },
): Promise<ReadonlyMap<Concept, readonly Term[]>> {
  const words = concepts.filter(({ word }) => WORD.test(word) && word.length >= LETTERS_MIN).slice(0, WORDS_MAX)
  const passages = shelves.reduce((sum, shelf) => sum + shelf.passages, 0)
  if (words.length === 0 || passages > PASSAGES_MAX) return new Map()
  const keys = shelves.map(({ key }) => key)
  const found = await Promise.all(
    words.map(async (concept) => {
      const terms = await asked.store.resembling(asked.scopes, keys, parts(concept))
      // It may occur in the message that asks, and is no other word there.
      const others = terms.filter(({ term }) => term !== concept.word && !concept.forms.includes(term))
      const chosen = choose(concept, others)
      const commonest = chosen.toSorted((a, b) => b.passages - a.passages || (a.term < b.term ? -1 : 1))
      return [concept, commonest.slice(0, TERMS_MAX)] as const
    }),
  )
  return new Map(found.filter(([, terms]) => terms.length > 0))
}

/**
 * Parts of a word of which at least one is in every word that is close to it. The index has stems, so the parts are those of the
 * stem. One edit leaves a half or the beginning as it was, two edits a third.
 */
function partsOf({ word, forms }: Concept): readonly [string, string, string] {
  const stem = forms[0] !== undefined && forms[0].length >= LETTERS_MIN ? forms[0] : word
  if (stem.length < LETTERS_FOR_TWO_EDITS) {
    const half = Math.ceil(stem.length / 2)
    return [stem.slice(0, half), stem.slice(half), stem.slice(0, half - 1)]
  }
  const size = Math.ceil(stem.length / 3)
  const last = stem.slice(size * 2)
  return [stem.slice(0, size), stem.slice(size, size * 2), last === '' ? stem.slice(0, size) : last]
}

/** The terms at the least distance from the word or one of its stems. */
function closest({ word, forms, inCompounds }: Concept, terms: readonly Term[]): readonly Term[] {
  const spellings = [...new Set([word, ...forms])]
  const near = terms.flatMap((term) => {
    const distance =
      inCompounds !== 'never' && spellings.some((spelling) => isPart(spelling, term.term))
        ? COMPOUND_DISTANCE
        : Math.min(
            ...spellings.map((spelling) => distanceBetween(spelling, term.term)),
            inCompounds === 'always' && isInside(word, term.term) ? PART_DISTANCE : 3,
            rootDistance(word, term.term),
          )
    return distance <= 2 ? [{ term, distance }] : []
  })
  const least = Math.min(...near.map(({ distance }) => distance))
  return near.filter(({ distance }) => distance === least).map(({ term }) => term)
}

/** An Arabic word that has the same consonants in the same order is a form of it, or a word of its family. */
function rootDistance(word: string, term: string): number {
  if (!ARABIC.test(word) || !ARABIC.test(term)) return 3
  const roots = consonantsOf(term)
  return consonantsOf(word.replace(ARABIC_ARTICLE, '')).some((root) => root.length >= 3 && roots.includes(root)) ? 1 : 3
}

function consonantsOf(word: string): readonly string[] {
  return [word, word.replace(ARABIC_PRESENT, '')].map((one) => one.replaceAll(ARABIC_VOWELS, ''))
}

/** Whether a word begins or ends a longer one that has at least three letters more: fewer are an inflection, or another word. */
function isPart(word: string, term: string): boolean {
  return word.length >= LETTERS_MIN && term.length >= word.length + 3 && (term.startsWith(word) || term.endsWith(word))
}

/** Whether a word is the middle of a compound: Rohr in Wasserrohrbruch. */
function isInside(word: string, term: string): boolean {
  const at = term.indexOf(word)
  return at >= 3 && term.length - at - word.length >= 3
}

/** Edits; or a little more than one where the one is the beginning or end of the other, 2 where it is inside; more where they are not alike. */
function distanceBetween(word: string, term: string): number {
  const edits = editsBetween(word, term)
  const allowed = Math.min(word.length, term.length) >= LETTERS_FOR_TWO_EDITS ? 2 : 1
  return Math.min(edits <= allowed ? edits : 3, distanceOfPart(word, term))
}

function distanceOfPart(word: string, term: string): number {
  const [short, long] = word.length <= term.length ? [word, term] : [term, word]
  if (short.length < LETTERS_OF_PART_MIN) return 3
  if (long.startsWith(short) || long.endsWith(short)) return PART_DISTANCE
  return long === term && long.includes(short) ? 2 : 3
}

/** Letters that were added, dropped, replaced or swapped with the next. */
function editsBetween(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2 || Math.min(a.length, b.length) < LETTERS_MIN) return 3
  let [older, old] = [[] as number[], Array.from({ length: b.length + 1 }, (_, index) => index)]
  const replaced = Math.max(a.length, b.length) < LETTERS_FOR_A_REPLACED_ONE ? 2 : 1
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : replaced
      let least = Math.min((old[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (old[j - 1] ?? 0) + same)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, (older[j - 2] ?? 0) + 1)
      row.push(least)
    }
    ;[older, old] = [old, row]
  }
  return old[b.length] ?? 3
}
