import { normalizeText } from '../domain/normalize-text.ts'

const ASCII = /^[\u0000-\u007f]*$/
// Accents of Latin and Greek, vowel points of Hebrew and Arabic, the lengthening stroke of Arabic, the dot of Devanagari. The breve of й
// stays: without it, no Russian ending is recognised.
const ACCENTS = /\u0640|[\u0300-\u0305\u0307-\u036f\u0591-\u05bd\u05bf-\u05c7\u064b-\u065f\u0670\u093c]|(?<!и)\u0306/giu
/** Letters that no decomposition takes apart, and spellings of one letter. */
const LETTERS: ReadonlyMap<string, string> = new Map(
  'ß=ss æ=ae œ=oe ø=o ł=l đ=d ð=d þ=th ı=i ς=σ ى=ي ة=ه ک=ك ی=ي \u0901=\u0902'
    .split(' ')
    .map((pair) => [pair.charAt(0), pair.slice(2)]),
)
const OWN_LETTER = new RegExp(`[${[...LETTERS.keys()].join('')}]`, 'gu')

/** Text as it is compared: lower case, compatible forms made one, accents gone. Composed again, so that Hangul stays syllables. */
export function normaliseWord(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()
  return normalizeText(text, 'NFKD')
    .replaceAll(ACCENTS, '')
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(OWN_LETTER, (letter) => LETTERS.get(letter) ?? letter)
}
