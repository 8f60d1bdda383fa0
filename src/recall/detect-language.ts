import { normalizeText } from '../domain/normalize-text.ts'
import { normaliseWord } from './normalise-word.ts'
import type { LanguagePack } from './languages/language-pack.ts'
import { packs } from './languages/index.ts'
import type { Token } from './tokenise.ts'

const HAN = /\p{Script=Han}/gu
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u
const LATIN = /\p{Script=Latin}/gu
const OTHER_SCRIPT = /[^\u0000-\u024f\u1e00-\u1eff\u2000-\u206f\p{Script=Common}\p{Script=Inherited}]/u
const ASCII = /^[\u0000-\u007f]*$/
const ACCENTED = /[^\u0000-\u007f]/u
const WORDS = /[\p{Script=Latin}\p{M}]+/gu
/** Latin letters that no pack's language writes: of Vietnamese, Polish and so on. */
const STRANGE = /[\p{Script=Latin}--[A-Za-zªºÀ-ÏÑ-ÖØ-ÝßĲĳŒœà-ïñ-öø-ýŸÿĂăČčĎďĚěĞğİıŇňŐőŘřŞşŠšŢţŤťŮůŰűŽžȘșȚț]]/v
/** An English message may mention `phở`; one in which every fifth word looks so is not English. */
const STRANGE_SHARE_MIN = 0.2
/** A Chinese character says as much as this many letters. */
const LETTERS_PER_CHARACTER = 3
const NO_PACKS: readonly LanguagePack[] = []
const packsOfStopWord = new Map<string, LanguagePack[]>()
for (const pack of packs.latin)
  for (const word of pack.stopWords) packsOfStopWord.set(word, [...(packsOfStopWord.get(word) ?? []), pack])
const scripts = packs.byScript.map(([script, pack]) => [new RegExp(script.source, 'gu'), pack] as const)
const latin = new Set(packs.latin)

/**
 * The language of a text: by script where the script decides; among languages in Latin letters the one with most stop words.
 * Without any sign it is taken for English, unless its letters say that it is another: then for the neutral language.
 */
export function detectLanguage(text: string, tokens: readonly Token[]): LanguagePack {
  if (OTHER_SCRIPT.test(text)) {
    const found = packOfScript(text)
    if (found !== undefined) return found
  }
  const accented = accentedWords(text)
  if (accented.strange >= STRANGE_SHARE_MIN) return packs.neutral
  const found = new Map<LanguagePack, string[]>()
  for (const { text: word, kind } of tokens) {
    if (kind !== 'word') continue
    for (const pack of packsOfStopWord.get(word) ?? NO_PACKS) {
      // Folded, `mẹ` is `me`; but English is written without accents.
      if (pack === packs.english && accented.words.has(word)) continue
      const words = found.get(pack)
      if (words === undefined) found.set(pack, [word])
      else words.push(word)
    }
  }
  return likeliest(text, found)
}

function likeliest(text: string, found: ReadonlyMap<LanguagePack, readonly string[]>): LanguagePack {
  let best = packs.english
  let most = 0
  // No language has ASCII letters of its own.
  const lower = ASCII.test(text) ? undefined : text.toLowerCase()
  for (const pack of packs.latin) {
    const words = found.get(pack) ?? []
    const letters = lower !== undefined && pack.letters?.test(lower) === true
    // One word alone proves little: `com` is Portuguese, and the end of an address.
    const isSure = letters || pack.asked.length > 0 || words.some((word) => word !== words[0])
    const score = words.length + (letters ? 2 : 0)
    if (score > most && isSure) [best, most] = [pack, score]
  }
  return best
}

/** The language of a word in a text: a Russian name in an English message is inflected as Russian. */
export function packOfWord(word: string, language: LanguagePack): LanguagePack {
  const code = word.charCodeAt(0)
  if (code < 0x250) return latin.has(language) || language === packs.neutral ? language : packs.english
  for (const [script, pack] of packs.byScript) if (script.test(word)) return pack
  if (HAN_OR_KANA.test(word)) return language === packs.japanese ? packs.japanese : packs.chinese
  return packs.neutral
}

const HAN_OR_KANA = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u

/** The pack of the script that most of the text is written in, or nothing if that is Latin. */
function packOfScript(text: string): LanguagePack | undefined {
  const count = (pattern: RegExp): number => text.match(pattern)?.length ?? 0
  let best: LanguagePack | undefined
  let most = count(LATIN)
  const han =
    (count(HAN) + (KANA.test(text) ? count(/[\p{Script=Hiragana}\p{Script=Katakana}]/gu) : 0)) * LETTERS_PER_CHARACTER
  if (han > most) [best, most] = [KANA.test(text) ? packs.japanese : packs.chinese, han]
  for (const [script, pack] of scripts) {
    const letters = count(script) * (pack.name === 'korean' ? LETTERS_PER_CHARACTER : 1)
    if (letters > most) [best, most] = [pack, letters]
  }
  // Hebrew, Georgian and so on: nobody wrote a pack for it.
  if (best === undefined && most === 0) return packs.neutral
  return best
}

/** The Latin words with accents, folded; and the share of all words that has letters no pack knows. */
function accentedWords(text: string): { readonly words: ReadonlySet<string>; readonly strange: number } {
  const words = new Set<string>()
  if (ASCII.test(text)) return { words, strange: 0 }
  let [all, strange] = [0, 0]
  for (const [word] of normalizeText(text, 'NFKC').matchAll(WORDS)) {
    all += 1
    if (!ACCENTED.test(word)) continue
    words.add(normaliseWord(word))
    if (STRANGE.test(word)) strange += 1
  }
  return { words, strange: all === 0 ? 0 : strange / all }
}
