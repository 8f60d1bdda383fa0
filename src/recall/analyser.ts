// oxlint-disable-next-line typescript/triple-slash-reference -- ambient: who compiles these sources by import has no other way to see it
/// <reference path="./snowball-stemmers.d.ts" />
import { normaliseWord } from './normalise-word.ts'
import type { LanguagePack } from './languages/language-pack.ts'
import { packs } from './languages/index.ts'
import { type Token, tokeniser } from './tokenise.ts'

/** Enough for the words of a language; a cache that grows with what strangers write is a leak. */
const STEMS_CACHED_MAX = 50_000
const HAN = /\p{Script=Han}/u
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u
const SPACED = /[\p{Script=Latin}\p{Script=Cyrillic}]/u
const ASCII = /^[\u0000-\u007f]*$/
const ACCENTED = /[^\u0000-\u007f]/u
const WORDS = /[\p{Script=Latin}\p{M}]+/gu
/** Latin letters that no pack's language writes: of Vietnamese, Turkish, Polish and so on. */
const STRANGE = /[\p{Script=Latin}--[A-Za-zªºÀ-ÂÄ-ÏÑ-ÖØ-ÜßĲĳŒœà-âä-ïñ-öø-üÃãŸÿ]]/v
/** An English message may mention `phở`; one in which every fifth word looks so is not English. */
const STRANGE_SHARE_MIN = 0.2
const stemming = packs.spaced.filter(({ stemmer }) => stemmer !== undefined)

/** Reads text the same way when it is written into the index and when it is asked for. */
export interface Analyser {
  tokens(text: string): readonly Token[]
  language(text: string, tokens: readonly Token[]): LanguagePack
  /** The term of a token in a language, or nothing for a stop word. */
  term(token: Token, language: LanguagePack): string | undefined
  /** The terms of a word in a language and in English, and as it stands; none for a stop word. */
  forms(token: Token, language: LanguagePack): readonly string[]
  /** Every term that the word may stand under, whichever language its message was taken for. */
  anyForms(token: Token): readonly string[]
}

/** Loads the stemmers: the first use takes about 40 ms. */
export async function loadAnalyser(): Promise<Analyser> {
  const { default: snowball } = await import('snowball-stemmers')
  const stemmers = new Map<string, { stem(word: string): string }>()
  // By language, then by word: to put both into one key would cost more than the look.
  const stems = new Map<string, Map<string, string>>()
  let cached = 0
  const tokens = tokeniser()

  const stem = (word: string, { stemmer: name, irregular }: LanguagePack): string => {
    const base = irregular.get(word) ?? word
    if (name === undefined) return base
    const known = stems.get(name)?.get(base)
    if (known !== undefined) return known
    let stemmer = stemmers.get(name)
    if (stemmer === undefined) {
      stemmer = snowball.newStemmer(name)
      stemmers.set(name, stemmer)
    }
    const found = stemmer.stem(base) || base
    if (cached >= STEMS_CACHED_MAX) {
      stems.clear()
      cached = 0
    }
    const own = stems.get(name) ?? new Map<string, string>()
    stems.set(name, own.set(base, found))
    cached += 1
    return found
  }

  const term = (token: Token, language: LanguagePack): string | undefined => {
    if (isStopWord(token, language)) return undefined
    return token.kind === 'word' ? stem(token.text, language) : token.text
  }

  return {
    tokens,
    language: detect,
    term,
    forms: (token, language) => {
      const first = term(token, language)
      if (first === undefined || token.kind !== 'word') return first === undefined ? [] : [first]
      return [...new Set([first, stem(token.text, packs.english), token.text])]
    },
    anyForms: ({ text, kind }) =>
      kind === 'word' ? [...new Set([text, ...stemming.map((pack) => stem(text, pack))])] : [text],
  }
}

function isStopWord({ text, kind, name }: Token, language: LanguagePack): boolean {
  if (kind === 'piece') return [...text].some((character) => language.stopWords.has(character))
  if (!language.stopWords.has(text)) return false
  // Will and May are people too.
  return !(name && language.capitalsAreNames && text.length > 1)
}

/**
 * By script; among languages with spaces, the one whose stop words are the most. Without any sign it is taken for English,
 * unless its letters say that it is another: then for a language that nobody wrote a pack for.
 */
function detect(text: string, tokens: readonly Token[]): LanguagePack {
  if (KANA.test(text)) return packs.japanese
  if (HAN.test(text)) return packs.chinese
  if (!SPACED.test(text)) return packs.neutral
  const accented = accentedWords(text)
  if (accented.strange >= STRANGE_SHARE_MIN) return packs.neutral
  let best = packs.english
  let most = 0
  for (const pack of packs.spaced) {
    const found = tokens.filter(
      // Folded, `mẹ` is `me`; but English is written without accents.
      ({ text: word, kind }) =>
        kind === 'word' && pack.stopWords.has(word) && !(pack === packs.english && accented.words.has(word)),
    )
    // One word alone proves little: `com` is Portuguese, and the end of an address.
    const isSure = pack.asked.length > 0 || found.some(({ text: word }) => word !== found[0]?.text)
    if (found.length > most && isSure) [best, most] = [pack, found.length]
  }
  return best
}

/** The Latin words with accents, folded; and the share of all words that has letters no pack knows. */
function accentedWords(text: string): { readonly words: ReadonlySet<string>; readonly strange: number } {
  const words = new Set<string>()
  if (ASCII.test(text)) return { words, strange: 0 }
  let [all, strange] = [0, 0]
  for (const [word] of text.normalize('NFKC').matchAll(WORDS)) {
    all += 1
    if (!ACCENTED.test(word)) continue
    words.add(normaliseWord(word))
    if (STRANGE.test(word)) strange += 1
  }
  return { words, strange: all === 0 ? 0 : strange / all }
}
