// oxlint-disable-next-line typescript/triple-slash-reference -- the package has no types, and a program that imports this file has to find ours
/// <reference path="./snowball-stemmers.d.ts" />
import { detectLanguage, packOfWord } from './detect-language.ts'
import type { LanguagePack } from './languages/language-pack.ts'
import { packs } from './languages/index.ts'
import { type Token, tokeniser } from './tokenise.ts'

/** Enough for the words of a language; a cache that grows with what strangers write is a leak. */
const STEMS_CACHED_MAX = 50_000
/** Not Turkish: cut to five letters, words of other languages are taken for one another. */
const stemming = packs.latin.filter(({ name }) => name !== 'turkish')

/** Reads text the same way when it is written into the index and when it is asked for. */
export interface Analyser {
  tokens(text: string): readonly Token[]
  /** The language of a text. Words of another script that stand in it are read in the language of their script. */
  language(text: string, tokens: readonly Token[]): LanguagePack
  /** The terms that a word is indexed under: mostly one, none for a stop word. */
  terms(token: Token, language: LanguagePack): readonly string[]
  /** The terms of a word in a language and in English, and as it stands; none for a stop word. */
  forms(token: Token, language: LanguagePack): readonly string[]
  /** Every term that the word may stand under, whichever language its message was taken for. */
  anyForms(token: Token): readonly string[]
}

/** Loads the stemmers: the first use takes about 40 ms. */
export async function loadAnalyser(): Promise<Analyser> {
  const loaded = await import('snowball-stemmers')
  // tsx gives what a CommonJS module has instead of its default.
  const { newStemmer } = loaded.default ?? loaded
  const stemmers = new Map<string, (word: string) => string>()
  // By language, then by word: to put both into one key would cost more than the look.
  const stems = new Map<string, Map<string, readonly string[]>>()
  let cached = 0
  const tokens = tokeniser()

  const stemmerOf = (name: string | undefined): ((word: string) => string) => {
    if (name === undefined) return (word) => word
    const known = stemmers.get(name)
    if (known !== undefined) return known
    const stemmer = newStemmer(name)
    const stem = (word: string): string => stemmer.stem(word) || word
    stemmers.set(name, stem)
    return stem
  }

  const stemsOf = (word: string, pack: LanguagePack): readonly string[] => {
    const known = stems.get(pack.name)?.get(word)
    if (known !== undefined) return known
    const stem = stemmerOf(pack.stemmer)
    const bases = pack.irregular.get(word) ?? [word]
    const found = [...new Set(bases.flatMap((base) => pack.stems?.(base, stem) ?? [stem(base)]))]
    if (cached >= STEMS_CACHED_MAX) {
      stems.clear()
      cached = 0
    }
    const own = stems.get(pack.name) ?? new Map<string, readonly string[]>()
    stems.set(pack.name, own.set(word, found))
    cached += 1
    return found
  }

  // The terms of words as they stand in most texts, by the language of the text: one look instead of four.
  const plain = new Map<LanguagePack, Map<string, readonly string[]>>()
  const terms = (token: Token, language: LanguagePack): readonly string[] => {
    if (token.kind !== 'word' || token.name) return termsOf(token, language)
    let own = plain.get(language)
    if (own === undefined) plain.set(language, (own = new Map()))
    const known = own.get(token.text)
    if (known !== undefined) return known
    if (own.size >= STEMS_CACHED_MAX) own.clear()
    const found = termsOf(token, language)
    own.set(token.text, found)
    return found
  }

  const termsOf = (token: Token, language: LanguagePack): readonly string[] => {
    const pack = packOfWord(token.text, language)
    if (isStopWord(token, pack)) return []
    if (token.kind === 'word') return stemsOf(token.text, pack)
    return token.kind === 'exact' && pack.stems !== undefined && pack.stemmer === undefined
      ? stemsOf(token.text, pack)
      : [token.text]
  }

  return {
    tokens,
    language: detectLanguage,
    terms,
    forms: (token, language) => {
      const own = terms(token, language)
      if (own.length === 0 || token.kind !== 'word') return own
      return [...new Set([...own, ...stemsOf(token.text, packOfWord(token.text, packs.english)), token.text])]
    },
    anyForms: ({ text, kind }) =>
      kind === 'word'
        ? [...new Set([text, ...stemming.flatMap((pack) => stemsOf(text, packOfWord(text, pack)))])]
        : [text],
  }
}

function isStopWord({ text, kind, name }: Token, language: LanguagePack): boolean {
  if (kind === 'piece') return [...text].some((character) => language.stopWords.has(character))
  if (!language.stopWords.has(text)) return false
  // Will and May are people too.
  return !(name && language.capitalsAreNames && text.length > 1)
}
