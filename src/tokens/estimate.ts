import type { Tokenizer } from '../ports/tokenizer.ts'
import { CHARACTER_CLASSES, CharacterClass } from './character-class.ts'
import { ESTIMATE_COSTS, type EstimateCosts } from './estimate-costs.ts'

// Bound here and not read from the imports in the loops: worth a fifth of the speed.
const CLASSES = CHARACTER_CLASSES
const { lower: LOWER, upper: UPPER, accented: ACCENTED, accentedOther: ACCENTED_OTHER, digit: DIGIT } = CharacterClass
const { greek: GREEK, cyrillic: CYRILLIC } = CharacterClass
const { space: BLANK, newline: NEWLINE, punctuation: PUNCTUATION, surrogate: SURROGATE } = CharacterClass

/** All costs are hundredths of a token, so that the sum stays an integer and does not depend on the order of additions. */
const TOKEN = 100
const LETTERS_MAX = 40
/** Letters among digits and changing case (base64, hexadecimal, ids) are in no vocabulary: per letter after the first. */
const RANDOM_LETTER = 50
/** A word after a space, by its letters: vocabularies hold nearly all English words up to eleven letters. */
const SPACED_WORD = wordCosts([100, 100, 100, 101, 102, 104, 106, 108, 112, 115, 118, 121, 138], 16)
/** A word after punctuation, a line break or in the middle of an identifier: held less often. */
const UNSPACED_WORD = wordCosts([100, 100, 110, 110, 110, 120, 130, 140, 150, 162, 175, 195, 215], 28)
/** The second, third, … mark of a run: pairs such as `);` and `":` are tokens, longer ones are cut. */
const PUNCTUATION_NEXT: readonly number[] = [0, 4, 16, 35, 40, 45]
const PUNCTUATION_MORE = 50
/** More of the same mark is cheap for those that draw lines (`-----`), not for brackets and quotes. */
const PUNCTUATION_SAME = 7
const LINE_MARKS = '-=.#*/_~+!?'
/** A single mark before a word is often part of the word's token: `.name`, `_id`, `(x`. */
const PUNCTUATION_JOINED = 42
/** A line break after punctuation is part of its token: `;\n`. */
const NEWLINE_JOINED = 12
/** In a run of white space: each space (a token holds 80), each tab or further line break (16), each break after blanks (2). */
const SPACE_MORE = 1
const BREAK_MORE = 6
const BREAK_OTHER = 48
/** Characters beyond U+FFFF that are no emoji are four bytes, of which vocabularies join few. */
const ASTRAL = 400
const CAPITAL = 6
/** A word of capitals, per letter after the second. */
const CAPITALS = 20
/** So many changes without a space between them mean a blob. */
const RANDOM_SWITCHES = 4
/** Words without `th` or `wh` and without programming punctuation, after which a Latin text is taken for another language. */
const FOREIGN_WORDS = 24
const FOREIGN_LETTERS_MAX = 60

/** How much an accent says about the language: French and Spanish words are in the vocabularies, Polish ones are not. */
const ACCENT_COMMON = 24
const ACCENT_OTHER = 96

const SPACE = 0x20
const APOSTROPHE = 0x27

/**
 * Estimates tokens from the classes of characters, for models whose tokenizer is not public and for every append, where
 * loading an exact one (200 ms, 67 MB) would cost more than it tells. Deterministic, one pass, meant to be a little high.
 *
 * As a text grows its count grows, but for white space at its end, which the next word may take into its token: every
 * other character is charged by what comes before it.
 */
export function estimator(vocabulary: 'large' | 'small' = 'small'): Tokenizer {
  return ESTIMATORS[vocabulary]
}

// Counts are stored under these names: a changed cost needs a new number, and the test that pins their sum says so.
const ESTIMATORS: Readonly<Record<'large' | 'small', Tokenizer>> = {
  large: estimatorOf('estimate-2-large', ESTIMATE_COSTS.large),
  small: estimatorOf('estimate-2', ESTIMATE_COSTS.small),
}

function estimatorOf(name: string, costs: EstimateCosts): Tokenizer {
  return {
    name,
    exact: false,
    count(text) {
      return Math.ceil(new Scan(text, costs).total() / TOKEN)
    },
  }
}

/** Beyond the given ones each letter costs a step more; beyond twenty it is no word, and each costs as in a blob. */
function wordCosts(first: readonly number[], step: number): Int16Array {
  const costs = new Int16Array(LETTERS_MAX + 1)
  for (let letters = 1; letters <= LETTERS_MAX; letters++) {
    costs[letters] = first[letters] ?? (costs[letters - 1] ?? 0) + (letters > 20 ? RANDOM_LETTER : step)
  }
  return costs
}

class Scan {
  private readonly text: string
  private readonly costs: EstimateCosts
  private cost = 0
  /** A space not yet charged: the word or mark after it takes it into its own token. */
  private space = false
  /** Whether the text directly before is punctuation. */
  private afterPunctuation = false
  /** Changes between letters, digits and cases since the last space: many mean that this is no language. */
  private switches = 0
  /** How dense accents were lately: each adds its weight, each word takes a sixteenth. */
  private accents = 0
  /** Words and their letters after the third since the text was last known to be English or code. */
  private plainWords = 0
  private plainLetters = 0

  constructor(text: string, costs: EstimateCosts) {
    this.text = text
    this.costs = costs
  }

  total(): number {
    const { text } = this
    const end = text.length
    let index = 0
    while (index < end) {
      switch (CLASSES[text.charCodeAt(index)]) {
        case LOWER:
        case UPPER:
        case ACCENTED:
        case ACCENTED_OTHER:
          index = this.words(index)
          break
        case BLANK:
        case NEWLINE:
          index = this.whitespace(index)
          break
        case DIGIT:
          index = this.digits(index)
          break
        case PUNCTUATION:
          index = this.punctuation(index)
          break
        default:
          index = this.script(index)
      }
    }
    return this.space ? this.cost + TOKEN : this.cost
  }

  /** One or more Latin words without anything between them: `camelCase` is two. */
  private words(start: number): number {
    const { text } = this
    let index = start
    let letters = 0
    let capitals = 0
    let accents = 0
    let before = 0
    let english = false
    for (; index < text.length; index++) {
      const code = text.charCodeAt(index)
      const kind = CLASSES[code]
      if (kind === LOWER) {
        if (code === 0x68 && (before === 0x74 || before === 0x77)) english = true
      } else if (kind === UPPER) {
        if (letters > capitals) {
          this.word(letters, capitals, accents)
          this.switches++
          letters = capitals = accents = 0
        }
        capitals++
      } else if (kind === ACCENTED) {
        accents += ACCENT_COMMON
      } else if (kind === ACCENTED_OTHER) {
        accents += ACCENT_OTHER
      } else {
        break
      }
      letters++
      before = code
    }
    this.word(letters, capitals, accents)
    // After the word, so that no letter can make its own word cheaper.
    if (english) this.plainWords = this.plainLetters = 0
    this.switches++
    this.afterPunctuation = false
    return index
  }

  private word(letters: number, capitals: number, accents: number): void {
    const { costs } = this
    const length = letters < LETTERS_MAX ? letters : LETTERS_MAX
    let cost = (this.space ? SPACED_WORD[length] : UNSPACED_WORD[length]) ?? 0
    if (letters > LETTERS_MAX) cost += (letters - LETTERS_MAX) * RANDOM_LETTER
    this.space = false
    if (this.switches >= RANDOM_SWITCHES) {
      this.cost += Math.max(cost, TOKEN + (letters - 1) * RANDOM_LETTER)
      return
    }
    if (capitals > 1) cost += (capitals - 2) * CAPITALS + (letters > capitals ? 60 : 0)
    else if (capitals === 1 && letters > 4) cost += (letters - 4) * CAPITAL
    if (accents > 0) {
      if (this.accents < 16) this.settlePlainWords()
      cost += (accents * costs.accent) >> 6
      this.accents = Math.min(512, this.accents + accents)
    }
    const long = letters > 3 ? letters - 3 : 0
    if (this.accents >= 16) {
      cost += long * (costs.foreign + ((this.accents * costs.foreignDense) >> 9))
      this.accents -= this.accents >> 4
    } else if (this.plainWords >= FOREIGN_WORDS) {
      cost += long * costs.foreignPlain
    } else {
      this.plainLetters += long
      if (++this.plainWords === FOREIGN_WORDS) this.settlePlainWords()
    }
    this.cost += cost
  }

  /** The words so far were taken for English and were not. */
  private settlePlainWords(): void {
    this.cost += Math.min(this.plainLetters, FOREIGN_LETTERS_MAX) * this.costs.foreign
    this.plainLetters = 0
  }

  /** Up to the last line break is one token, then the indentation but for one space, which the next word takes. */
  private whitespace(start: number): number {
    const { text } = this
    let index = start
    let afterBreak = start
    let more = 0
    for (; index < text.length; index++) {
      const code = text.charCodeAt(index)
      const kind = CLASSES[code]
      if (kind === NEWLINE) {
        if (afterBreak > start) more += afterBreak === index ? BREAK_MORE : BREAK_OTHER
        afterBreak = index + 1
      } else if (kind === BLANK) {
        if (index > start) more += code === SPACE ? SPACE_MORE : BREAK_MORE
      } else {
        break
      }
    }
    if (afterBreak > start) {
      const joined = this.afterPunctuation && CLASSES[text.charCodeAt(start)] === NEWLINE
      this.cost += joined ? NEWLINE_JOINED : TOKEN
      this.space = false
    }
    const spaces = index - afterBreak
    if (spaces > 1) this.cost += TOKEN
    if (spaces > 0) this.space = text.charCodeAt(index - 1) === SPACE || spaces === 1
    this.cost += more
    this.afterPunctuation = false
    this.switches = 0
    return index
  }

  /** Groups of three from the left; a space before a number is a token of its own. Both vocabularies do this exactly. */
  private digits(start: number): number {
    const { text } = this
    let index = start + 1
    while (index < text.length && CLASSES[text.charCodeAt(index)] === DIGIT) index++
    this.chargeSpace()
    this.cost += Math.ceil((index - start) / 3) * TOKEN
    this.switches++
    this.afterPunctuation = false
    return index
  }

  private punctuation(start: number): number {
    const { text } = this
    const first = text.charCodeAt(start)
    let before = first
    let index = start + 1
    let cost = TOKEN
    for (; index < text.length; index++) {
      const code = text.charCodeAt(index)
      if (CLASSES[code] !== PUNCTUATION) break
      cost += code === before && isLineMark(code) ? PUNCTUATION_SAME : nextMark(index - start)
      before = code
    }
    const single = index === start + 1
    if (single && !this.space && index < text.length && isLetter(text.charCodeAt(index))) {
      if (first === APOSTROPHE && start > 0 && isLetter(text.charCodeAt(start - 1))) {
        // The letters of `'s` and `n't` pay for both: they are one token, or part of the word's.
        cost = 0
        this.plainWords = this.plainLetters = 0
      } else {
        cost = PUNCTUATION_JOINED
      }
    }
    if (!single || isProgramming(first)) this.plainWords = this.plainLetters = 0
    if (!isBlobMark(first)) this.switches = 0
    this.cost += cost
    this.space = false
    this.afterPunctuation = true
    return index
  }

  /** A run of one class outside ASCII and Latin. */
  private script(start: number): number {
    const { text, costs } = this
    const kind = CLASSES[text.charCodeAt(start)] ?? 0
    if (kind === SURROGATE) return this.surrogate(start)
    let index = start + 1
    while (index < text.length && CLASSES[text.charCodeAt(index)] === kind) index++
    this.cost += (costs.run[kind] ?? 0) + (index - start) * (costs.each[kind] ?? 0)
    if (kind === GREEK) this.cost += capitalsIn(text, start + 1, index) * costs.greekCapital
    else if (kind === CYRILLIC) this.cost += capitalsIn(text, start + 1, index) * costs.cyrillicCapital
    this.space = false
    this.afterPunctuation = false
    this.switches = 0
    return index
  }

  private surrogate(start: number): number {
    const { text } = this
    this.space = false
    this.afterPunctuation = false
    const paired = (text.codePointAt(start) ?? 0) > 0xffff
    // A lone half is sent as U+FFFD, which is one token.
    if (!paired) this.cost += TOKEN
    else this.cost += isEmojiPlane(text.charCodeAt(start)) ? this.costs.emoji : ASTRAL
    return start + (paired ? 2 : 1)
  }

  private chargeSpace(): void {
    if (this.space) this.cost += TOKEN
    this.space = false
  }
}

/** Α to Ϋ with their accented forms before them, and А to Я with Ѐ to Џ. */
function capitalsIn(text: string, start: number, end: number): number {
  let count = 0
  for (let index = start; index < end; index++) {
    const code = text.charCodeAt(index)
    if ((code >= 0x0386 && code <= 0x03ab && code !== 0x0390) || (code >= 0x0400 && code <= 0x042f)) count++
  }
  return count
}

/** U+1F000 to U+1FBFF. */
function isEmojiPlane(highSurrogate: number): boolean {
  return highSurrogate >= 0xd83c && highSurrogate <= 0xd83e
}

function isLetter(code: number): boolean {
  const kind = CLASSES[code]
  return kind === LOWER || kind === UPPER || kind === ACCENTED || kind === ACCENTED_OTHER
}

/** `( ) / < = > [ \ ] _ { | }` and the like: prose has few of them. */
function isProgramming(code: number): boolean {
  return code === 0x28 || code === 0x29 || code === 0x2f || (code >= 0x3b && code <= 0x3e) || code >= 0x5b
}

const IS_LINE_MARK: readonly boolean[] = Array.from({ length: 128 }, (_, code) =>
  LINE_MARKS.includes(String.fromCharCode(code)),
)

/** Compared first: reading beyond an array's end is what makes a megabyte of punctuation slow. */
function nextMark(position: number): number {
  return position < PUNCTUATION_NEXT.length ? (PUNCTUATION_NEXT[position] ?? 0) : PUNCTUATION_MORE
}

function isLineMark(code: number): boolean {
  return IS_LINE_MARK[code] === true
}

/** `+ - / = _` stand inside base64 and ids. */
function isBlobMark(code: number): boolean {
  return code === 0x2b || code === 0x2d || code === 0x2f || code === 0x3d || code === 0x5f
}
