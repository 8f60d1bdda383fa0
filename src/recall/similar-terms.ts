import type { Shelf, Term } from '../ports/recall-store.ts'
import type { AskedIndex } from './asked-index.ts'
import type { Concept } from './read-question.ts'

/** A short word has too many neighbours. */
const LETTERS_MIN = 4
const LETTERS_FOR_TWO_EDITS = 7
const LETTERS_OF_PART_MIN = 5
const WORDS_MAX = 4
const TERMS_MAX = 12
/** The vocabulary is read from end to end: in a very large index that takes too long. */
const PASSAGES_MAX = 150_000
const WORD = /^[\p{L}\p{M}]+$/u

/** For a word of the question that stands nowhere, the terms of the index that it may mean: misspelt, inflected, part of a compound. */
export async function similarTerms(
  asked: AskedIndex,
  shelves: readonly Shelf[],
  missing: readonly Concept[],
): Promise<ReadonlyMap<Concept, readonly Term[]>> {
  const words = missing.filter(({ word }) => WORD.test(word) && word.length >= LETTERS_MIN).slice(0, WORDS_MAX)
  const passages = shelves.reduce((sum, shelf) => sum + shelf.passages, 0)
  if (words.length === 0 || passages > PASSAGES_MAX) return new Map()
  const keys = shelves.map(({ key }) => key)
  const found = await Promise.all(
    words.map(async (concept) => {
      const terms = await asked.store.resembling(asked.scopes, keys, thirds(concept.word))
      return [concept, closest(concept, terms)] as const
    }),
  )
  return new Map(found.filter(([, terms]) => terms.length > 0))
}

/** Two edits leave one of three parts as it was. */
function thirds(word: string): readonly [string, string, string] {
  const size = Math.ceil(word.length / 3)
  const [a, b, c] = [word.slice(0, size), word.slice(size, size * 2), word.slice(size * 2)]
  return [a, b, c === '' ? a : c]
}

/** The terms at the least distance from the word or one of its stems. */
function closest({ word, forms }: Concept, terms: readonly Term[]): readonly Term[] {
  const spellings = [...new Set([word, ...forms])]
  const near = terms.flatMap((term) => {
    const distance = Math.min(...spellings.map((spelling) => distanceBetween(spelling, term.term)))
    return distance <= 2 ? [{ term, distance }] : []
  })
  const least = Math.min(...near.map(({ distance }) => distance))
  return near
    .filter(({ distance }) => distance === least)
    .map(({ term }) => term)
    .toSorted((a, b) => b.passages - a.passages || (a.term < b.term ? -1 : 1))
    .slice(0, TERMS_MAX)
}

/** Edits, or 1 where the one is the beginning or end of the other, 2 where it is inside; more than 2 where they are not alike. */
function distanceBetween(word: string, term: string): number {
  const [short, long] = word.length <= term.length ? [word, term] : [term, word]
  if (short.length >= LETTERS_OF_PART_MIN) {
    if (long.startsWith(short) || long.endsWith(short)) return 1
    if (long === term && long.includes(short)) return 2
  }
  const edits = editsBetween(word, term)
  return edits <= (Math.min(word.length, term.length) >= LETTERS_FOR_TWO_EDITS ? 2 : 1) ? edits : 3
}

/** Letters that were added, dropped, replaced or swapped with the next. */
function editsBetween(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2 || Math.min(a.length, b.length) < LETTERS_MIN) return 3
  let [older, old] = [[] as number[], Array.from({ length: b.length + 1 }, (_, index) => index)]
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1
      let least = Math.min((old[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (old[j - 1] ?? 0) + same)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, (older[j - 2] ?? 0) + 1)
      row.push(least)
    }
    ;[older, old] = [old, row]
  }
  return old[b.length] ?? 3
}
