import type { PassageRow } from '../ports/recall-store.ts'
import { normaliseWord } from './normalise-word.ts'
import { wordSet as list } from './languages/language-pack.ts'
import { cueBits } from './passage.ts'

/** Nine of ten words the same, and eight of ten pairs of neighbours: said twice, or quoted. Pairs, because Ada paid Bob is not Bob paid Ada. */
const LIKENESS_MIN = 0.9
const PAIR_LIKENESS_MIN = 0.8
/** Two short texts may share most of their words and still be two things said. */
const WORDS_MIN = 4
/** `C++`, `C#` and `C` are three things, and so are -5, 5 and 5%. */
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Extended_Pictographic}\p{RI}]|[+\-−]?[\p{L}\p{M}\p{N}_]+(?:['’][\p{L}\p{M}]+)*[+#%€$£¥]*/gu
/** One such word turns a sentence round. Folded; those of Chinese and Japanese stand in one character. */
const NEGATIONS = list(`
  no not nor none never nobody nothing nowhere neither without cannot dont doesnt didnt isnt arent wasnt werent hasnt havent hadnt wont wouldnt cant
  couldnt shouldnt mustnt aint nicht nichts kein keine keinen keinem keiner nie niemals niemand ohne pas jamais rien aucun aucune personne sans
  nunca nada nadie ningun ninguna sin nao nem sem non mai niente nessuno senza niet geen nooit zonder inte ingen aldrig utan не нет ни никогда без
  不 没 沒 無 未 非 别
`)

/** What of a text tells whether another says the same. */
interface Gist {
  readonly words: ReadonlySet<string>
  readonly pairs: ReadonlySet<string>
  /** Numbers, negations, and whether it asks: these must be the same. */
  readonly mark: string
}

/** Tells whether something like it was chosen already, by what is shown of it. */
export class NearCopies {
  readonly #texts = new Map<string, number>()
  readonly #gists: Gist[] = []

  /** The position of what it is a copy of. */
  find(passage: PassageRow, text: string): number | undefined {
    const words = wordsOf(text)
    const same = this.#texts.get(normal(passage, words, text))
    if (same !== undefined) return same
    if (words.length < WORDS_MIN) return undefined
    const gist = gistOf(passage, words)
    const at = this.#gists.findIndex((other) => isLike(gist, other))
    return at === -1 ? undefined : at
  }

  add(passage: PassageRow, text: string): void {
    const words = wordsOf(text)
    this.#texts.set(normal(passage, words, text), this.#gists.length)
    this.#gists.push(gistOf(passage, words))
  }
}

function wordsOf(text: string): readonly string[] {
  return Array.from(normaliseWord(text).matchAll(WORD), ([word]) => word.replaceAll(/['’]/g, ''))
}

/** Texts without any word are the same when they are the same. */
function normal({ cues }: PassageRow, words: readonly string[], text: string): string {
  return `${cues & cueBits.question} ${words.length === 0 ? text : words.join(' ')}`
}

function gistOf({ cues }: PassageRow, words: readonly string[]): Gist {
  const marks = words.filter((word) => /\p{N}/u.test(word) || NEGATIONS.has(word))
  return {
    words: new Set(words),
    pairs: new Set(words.slice(1).map((word, index) => `${words[index]} ${word}`)),
    mark: `${cues & cueBits.question} ${marks.toSorted().join(' ')}`,
  }
}

function isLike(a: Gist, b: Gist): boolean {
  return (
    a.mark === b.mark && likeness(a.words, b.words) >= LIKENESS_MIN && likeness(a.pairs, b.pairs) >= PAIR_LIKENESS_MIN
  )
}

function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  // Cheaper than counting, and most are not alike.
  if (Math.min(a.size, b.size) < Math.max(a.size, b.size) * PAIR_LIKENESS_MIN) return 0
  let common = 0
  for (const one of a) if (b.has(one)) common += 1
  return common / (a.size + b.size - common || 1)
}
