import { normalForm } from '../../../domain/normal-form.ts'
import { USER } from '../../user.ts'
import type { Material } from '../lesson.ts'
import { numbersIn } from './numbers.ts'

/** Shorter stretches stand in every message and show nothing. */
const QUOTE_CHARACTERS_MIN = 8
const DAY = /^-?-?(?:\d{4}-)?\d{2}-\d{2}$/
const WORD = /[\p{L}\p{M}\p{N}]+/gu
/** Written without blanks between words: a word is a stretch of the text. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u
/** Words that join others and mean nothing alone. */
const JOINING = new Set(
  `a an the of in on at to for from by with as and or is are was were be been being it its his her their my your our i he she they you
  that this than not no user s der die das den dem des ein eine einen einem einer und oder zu zum zur im am an auf bei mit von vom für
  als ist sind war sein`.split(/\s+/u),
)

/** To the letter, and enough of it to show something: eight characters, or all that was said. */
export function isQuoted(quote: string, { texts }: Material): boolean {
  return texts.some(
    (text) => text.includes(quote) && (quote.trim().length >= QUOTE_CHARACTERS_MIN || sameWords(quote, text)),
  )
}

/**
 * A real quote is no proof of an invented object: each of its words that means something must occur in the message or in what was
 * shown beside it, in whatever form: `hike` for `hiking`, `3000` for `three thousand`. Days alone are worked out: `tomorrow` names none.
 */
export function isFounded(object: string, { texts, name }: Material, shown: readonly string[]): boolean {
  return DAY.test(object) || occurs(object, [...texts, name ?? '', ...shown].join('\n'))
}

/** Whether a subject is the one who speaks, or somebody whom the message or what was shown beside it names. */
export function isSpokenOf(subject: string, { role, texts, name }: Material, shown: readonly string[]): boolean {
  const who = normalForm(subject)
  if (role === 'user' && who === normalForm(USER)) return true
  return (name !== undefined && who === normalForm(name)) || occurs(subject, [...texts, ...shown].join('\n'))
}

function occurs(phrase: string, text: string): boolean {
  const said = text.toLowerCase()
  const own = new Set(wordsOf(said))
  const words = wordsOf(phrase)
  const meant = words.filter((word) => !JOINING.has(word))
  const needed = meant.length === 0 ? words : meant
  if (needed.length === 0) return false
  const missing = needed.filter(
    (word) => !own.has(word) && !(UNSPACED.test(word) ? said.includes(word) : hasForm(own, word)),
  )
  return missing.length === 0 || sameNumbers(phrase, missing, said)
}

/** Whether what is missing is only written otherwise: `42` for `forty-two`. */
function sameNumbers(phrase: string, missing: readonly string[], said: string): boolean {
  const wanted = [...numbersIn(phrase)]
  const isNumber = (word: string): boolean =>
    /^\d+(?:st|nd|rd|th|k)?$/u.test(word) || numbersIn(word).size > 0 || /^(?:hundred|thousand|million)$/u.test(word)
  if (wanted.length === 0 || !missing.every(isNumber)) return false
  const known = numbersIn(said)
  return wanted.every((number) => known.has(number))
}

function sameWords(quote: string, text: string): boolean {
  const words = wordsOf(quote)
  return words.length > 0 && words.join(' ') === wordsOf(text).join(' ')
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(WORD) ?? []
}

/** Another form of the word: the same beginning, and an ending of at most three letters. Numbers have no other forms. */
function hasForm(own: ReadonlySet<string>, word: string): boolean {
  if (/\p{N}/u.test(word)) return false
  for (const other of own) {
    const stem = Math.max(3, Math.max(word.length, other.length) - 3)
    if (word.length >= stem && other.startsWith(word.slice(0, stem))) return true
  }
  return false
}
