import { CharacterClass as C } from './character-class.ts'

/**
 * What the estimator charges, in hundredths of a token. The numbers are least-squares fits of o200k and cl100k counts
 * (2026-11: the declaration of human rights in 60 languages, localised compiler messages, chats, source code, JSON),
 * raised until every class of text is counted too high rather than too low. `bench/tokens.ts` prints what is left.
 */
export interface EstimateCosts {
  /** For a run of characters of one class: once for the run, and for each character. Indexed by `CharacterClass`. */
  readonly run: Int16Array
  readonly each: Int16Array
  /** Per emoji beyond U+FFFF. */
  readonly emoji: number
  /** Per letter after the third, in a Latin text that is not English: at least, and added when accents are dense. */
  readonly foreign: number
  readonly foreignDense: number
  /** The same for a text that shows by its letter pairs alone that it is not English: Dutch, Indonesian, Swahili. */
  readonly foreignPlain: number
  /** Per accented Latin letter of full weight. */
  readonly accent: number
  /** Per capital after the first of a run: vocabularies hold few words that are written in capitals. */
  readonly cyrillicCapital: number
  readonly greekCapital: number
}

type Row = readonly [
  characterClass: number,
  large: readonly [run: number, each: number],
  small: readonly [run: number, each: number],
]

const ROWS: readonly Row[] = [
  [C.control, [0, 100], [0, 100]],
  [C.rare, [20, 300], [20, 300]],
  [C.rareTwoByte, [80, 203], [80, 203]],
  [C.typographic, [0, 100], [0, 115]],
  [C.symbol, [0, 160], [0, 165]],
  [C.emoji, [0, 130], [0, 165]],
  [C.joiner, [0, 100], [0, 190]],
  [C.combining, [0, 105], [0, 105]],
  [C.widePunctuation, [0, 90], [0, 105]],
  [C.greek, [32, 41], [15, 106]],
  [C.cyrillic, [68, 19], [45, 50]],
  [C.cyrillicOther, [0, 125], [0, 230]],
  [C.armenian, [80, 20], [100, 203]],
  [C.hebrew, [25, 42], [55, 110]],
  [C.arabic, [48, 28], [50, 86]],
  [C.arabicUrdu, [0, 60], [0, 210]],
  [C.devanagari, [58, 26], [100, 102]],
  [C.bengali, [30, 36], [108, 125]],
  [C.gurmukhi, [0, 65], [0, 203]],
  [C.gujarati, [30, 36], [10, 202]],
  [C.tamil, [25, 36], [110, 147]],
  [C.telugu, [15, 51], [0, 203]],
  [C.kannada, [46, 39], [15, 202]],
  [C.malayalam, [65, 32], [190, 166]],
  [C.sinhala, [30, 60], [95, 203]],
  [C.thai, [35, 44], [95, 98]],
  [C.lao, [95, 190], [30, 222]],
  [C.tibetan, [200, 152], [60, 212]],
  [C.myanmar, [103, 50], [135, 204]],
  [C.georgian, [42, 26], [100, 203]],
  [C.ethiopic, [95, 205], [0, 302]],
  [C.khmer, [65, 63], [80, 170]],
  [C.hangul, [35, 66], [35, 123]],
  [C.kana, [38, 58], [15, 92]],
  [C.han, [25, 81], [30, 127]],
  [C.hanTraditional, [25, 145], [30, 215]],
  [C.hanRare, [0, 320], [0, 320]],
  [C.hebrewSign, [0, 132], [0, 148]],
  [C.arabicSign, [0, 78], [0, 82]],
  [C.wide, [0, 132], [0, 190]],
]

function column(pick: (row: Row) => number): Int16Array {
  const values = new Int16Array(64)
  for (const row of ROWS) values[row[0]] = pick(row)
  return values
}

/**
 * `large`: vocabularies of 200,000 entries and more (o200k, Gemini, Llama 4). `small`: of about 100,000 (cl100k), the
 * upper bound for everything whose tokenizer is unknown. English, code and JSON cost the same in both; Greek, Hebrew and
 * the Indic scripts cost two to six times more in the small one.
 */
export const ESTIMATE_COSTS: Readonly<Record<'large' | 'small', EstimateCosts>> = {
  large: {
    run: column((row) => row[1][0]),
    each: column((row) => row[1][1]),
    emoji: 225,
    foreign: 13,
    foreignDense: 26,
    foreignPlain: 26,
    accent: 12,
    cyrillicCapital: 54,
    greekCapital: 64,
  },
  small: {
    run: column((row) => row[2][0]),
    each: column((row) => row[2][1]),
    emoji: 290,
    foreign: 25,
    foreignDense: 20,
    foreignPlain: 48,
    accent: 94,
    cyrillicCapital: 64,
    greekCapital: 118,
  },
}
