import { sentenceSpans } from '../../domain/sentence-spans.ts'
import { firstCharacters, tailOf } from './excerpt.ts'
import { dataLine } from './marker.ts'

/** Of one text that is read for sentences: the beginning and the end, so that a long log costs no more than a short one. */
const HEAD_CHARACTERS = 8_000
const TAIL_CHARACTERS = 4_000
/** Letters or digits: a line of braces or dashes says nothing. */
const SAYS_SOMETHING = /[\p{L}\p{N}]/u
/** Latin letters and punctuation: words are what stands between spaces. */
const LATIN = /^[\u0000-\u024f\u2000-\u206f]*$/
const SEGMENTER = new Intl.Segmenter('en', { granularity: 'word' })
const TERMS_MAX = 64

/** Sentences of a text, each on one line and free of our markers; lines are sentences too. */
export function sentencesOf(text: string): readonly string[] {
  const pieces =
    text.length <= HEAD_CHARACTERS + TAIL_CHARACTERS
      ? [text]
      : [firstCharacters(text, HEAD_CHARACTERS), tailOf(text, TAIL_CHARACTERS)]
  return pieces
    .flatMap((piece) => Array.from(sentenceSpans(piece), ({ start, end }) => dataLine(piece.slice(start, end))))
    .filter((sentence) => SAYS_SOMETHING.test(sentence))
}

/**
 * What a sentence is about: its distinct words in lower case. Where scripts have no spaces, words are those of
 * `Intl.Segmenter`, with a fixed locale, so that the machine's own makes no difference.
 */
export function termsOf(sentence: string): ReadonlySet<string> {
  const terms = new Set<string>()
  const words = LATIN.test(sentence) ? (sentence.match(/[A-Za-z0-9_\u00c0-\u024f]{3,40}/g) ?? []) : segmented(sentence)
  for (const word of words) {
    if (terms.size >= TERMS_MAX) break
    terms.add(word.toLowerCase())
  }
  return terms
}

function* segmented(sentence: string): Iterable<string> {
  for (const { segment, isWordLike } of SEGMENTER.segment(sentence)) {
    // A single letter says nothing; a single Han character is a word.
    if (isWordLike === true && (segment.length > 2 || segment.charCodeAt(0) > 0x2e7f)) yield segment
  }
}
