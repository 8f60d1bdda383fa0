import type { Material } from '../lesson.ts'

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
 * A real quote is no proof of an invented object: each of its words that means something must be the message's own, in whatever
 * form: `hike` for `hiking`. Days alone are worked out: `tomorrow` names none.
 */
export function isFounded(object: string, { texts, name }: Material): boolean {
  if (DAY.test(object)) return true
  const said = [...texts, name ?? ''].join('\n').toLowerCase()
  const own = new Set(wordsOf(said))
  const words = wordsOf(object)
  const meant = words.filter((word) => !JOINING.has(word))
  const needed = meant.length === 0 ? words : meant
  return (
    needed.length > 0 &&
    needed.every((word) => own.has(word) || (UNSPACED.test(word) ? said.includes(word) : hasForm(own, word)))
  )
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
