/**
 * What the estimator tells apart. The first nine are handled by rules; every later one is a script or a kind of symbol
 * whose characters cost about the same, and is a row of `ESTIMATE_COSTS`.
 */
export const CharacterClass = {
  control: 0,
  space: 1,
  newline: 2,
  lower: 3,
  upper: 4,
  accented: 5,
  accentedOther: 6,
  digit: 7,
  punctuation: 8,
  rare: 9,
  rareTwoByte: 10,
  surrogate: 11,
  typographic: 12,
  symbol: 13,
  emoji: 14,
  joiner: 15,
  combining: 16,
  widePunctuation: 17,
  greek: 18,
  cyrillic: 19,
  cyrillicOther: 20,
  armenian: 21,
  hebrew: 22,
  arabic: 23,
  arabicUrdu: 24,
  devanagari: 25,
  bengali: 26,
  gurmukhi: 27,
  gujarati: 28,
  tamil: 29,
  telugu: 30,
  kannada: 31,
  malayalam: 32,
  sinhala: 33,
  thai: 34,
  lao: 35,
  tibetan: 36,
  myanmar: 37,
  georgian: 38,
  ethiopic: 39,
  khmer: 40,
  hangul: 41,
  kana: 42,
  han: 43,
  hanTraditional: 44,
  hanRare: 45,
  hebrewSign: 46,
  arabicSign: 47,
  wide: 48,
} as const

const C = CharacterClass

/** First and last code unit, by Unicode block (https://www.unicode.org/Public/UNIDATA/Blocks.txt). Later rows win. */
const RANGES: readonly (readonly [first: number, last: number, value: number])[] = [
  [0x0000, 0x001f, C.control],
  [0x0021, 0x007e, C.punctuation],
  [0x007f, 0x009f, C.control],
  [0x0009, 0x0009, C.space],
  [0x0020, 0x0020, C.space],
  [0x000a, 0x000a, C.newline],
  [0x000d, 0x000d, C.newline],
  [0x0030, 0x0039, C.digit],
  [0x0041, 0x005a, C.upper],
  [0x0061, 0x007a, C.lower],
  [0x00a0, 0x00bf, C.typographic],
  [0x00c0, 0x00ff, C.accented],
  [0x00c4, 0x00c6, C.accentedOther], // Ä Å Æ, then Ö Ø
  [0x00d6, 0x00d8, C.accentedOther],
  [0x00e4, 0x00e6, C.accentedOther],
  [0x00f6, 0x00f8, C.accentedOther],
  [0x00ec, 0x00ec, C.accentedOther], // ì, then ò and ù: Italian
  [0x00f2, 0x00f2, C.accentedOther],
  [0x00f9, 0x00f9, C.accentedOther],
  [0x0100, 0x024f, C.accentedOther], // the letters of central Europe and Turkish
  [0x00d7, 0x00d7, C.typographic],
  [0x00f7, 0x00f7, C.typographic],
  [0x0250, 0x02ff, C.symbol], // phonetic letters
  [0x0300, 0x036f, C.combining],
  [0x0370, 0x03ff, C.greek],
  [0x0400, 0x044f, C.cyrillic],
  [0x0401, 0x0401, C.cyrillic],
  [0x0450, 0x052f, C.cyrillicOther], // letters Russian does not have: the words around them are costlier too
  [0x0451, 0x0451, C.cyrillic],
  [0x0402, 0x040f, C.cyrillicOther],
  [0x044a, 0x044a, C.cyrillicOther], // ъ: everywhere in Bulgarian, hardly in Russian
  [0x0530, 0x058f, C.armenian],
  [0x0590, 0x05ff, C.hebrew],
  [0x0591, 0x05c7, C.hebrewSign], // vowel signs part the words that vocabularies hold
  [0x0600, 0x06ff, C.arabic],
  [0x064b, 0x0655, C.arabicSign],
  [0x0670, 0x0670, C.arabicSign],
  [0x0700, 0x07ff, C.rareTwoByte],
  [0x0750, 0x077f, C.arabic],
  [0x08a0, 0x08ff, C.arabic],
  [0x0900, 0x097f, C.devanagari],
  [0x0980, 0x09ff, C.bengali],
  [0x0a00, 0x0a7f, C.gurmukhi],
  [0x0a80, 0x0aff, C.gujarati],
  [0x0b80, 0x0bff, C.tamil],
  [0x0c00, 0x0c7f, C.telugu],
  [0x0c80, 0x0cff, C.kannada],
  [0x0d00, 0x0d7f, C.malayalam],
  [0x0d80, 0x0dff, C.sinhala],
  [0x0e00, 0x0e7f, C.thai],
  [0x0e80, 0x0eff, C.lao],
  [0x0f00, 0x0fff, C.tibetan],
  [0x1000, 0x109f, C.myanmar],
  [0x10a0, 0x10ff, C.georgian],
  [0x1100, 0x11ff, C.hanRare], // loose jamo: bytes
  [0x1200, 0x139f, C.ethiopic],
  [0x1780, 0x17ff, C.khmer],
  [0x1e00, 0x1eff, C.accentedOther], // Vietnamese
  [0x1f00, 0x1fff, C.greek],
  [0x2000, 0x205f, C.typographic],
  [0x200b, 0x200f, C.joiner],
  [0x2060, 0x206f, C.joiner],
  [0x2070, 0x24ff, C.symbol],
  [0x2500, 0x25ff, C.symbol],
  [0x2600, 0x27bf, C.emoji],
  [0x27c0, 0x2bff, C.symbol],
  [0x2e80, 0x2fff, C.hanRare],
  [0x3000, 0x303f, C.widePunctuation],
  [0x3005, 0x3005, C.han],
  [0x3040, 0x30ff, C.kana],
  [0x3130, 0x318f, C.hanRare],
  [0x3200, 0x33ff, C.symbol],
  [0x3400, 0x4dbf, C.hanRare],
  [0x4e00, 0x9fff, C.han],
  [0xac00, 0xd7a3, C.hangul],
  [0xd800, 0xdfff, C.surrogate],
  [0xf900, 0xfaff, C.hanRare],
  [0xfb50, 0xfdff, C.symbol],
  [0xfe00, 0xfe0f, C.joiner],
  [0xfe30, 0xfe4f, C.widePunctuation],
  [0xfe70, 0xfeff, C.symbol],
  [0xff00, 0xff65, C.widePunctuation],
  [0xff10, 0xff19, C.wide], // digits and letters
  [0xff21, 0xff3a, C.wide],
  [0xff41, 0xff5a, C.wide],
  [0xff66, 0xff9f, C.symbol],
  [0xffe0, 0xfffc, C.symbol],
  [0xfffd, 0xfffd, C.typographic],
]

/**
 * Frequent characters that only traditional Chinese writes. They are a sixth of such a text, and vocabularies hold fewer
 * of its words: what its other characters cost more than simplified ones is charged to these.
 */
const TRADITIONAL =
  '個們這來說為會後國過時對還學與於開關從點電話東車門間問題長見視覺讓請認識實現發動樣種經當將沒該給應進邊運連選達' +
  '頭業無兩員書產總統議論語詞課證計設許訴試誰調談變讀買賣費資質趙錢鐵銀錯環護報場塊壓聽聲職臺灣豐歷曆顯風飛飯館馬驗黨齊龍' +
  '億價優傳傷備僅儘內冊別剛創劃務勞勢區協單參雙圖團園圍執夠奪奮婦媽寫寶專導屬島層帶幫幹幾廠廣張強彈歸錄徑復愛慣戰戲據擇擔擁擊擴攝敗數斷'

/** Letters that Urdu writes and Arabic does not, charged for their words as above. */
const URDU = 'ٹڈڑںہےھ'

/** One byte per UTF-16 code unit: the only look-up the estimator makes for a character. */
export const CHARACTER_CLASSES: Uint8Array = buildClasses()

function buildClasses(): Uint8Array {
  const classes = new Uint8Array(0x10000).fill(C.rare)
  for (const [first, last, value] of RANGES) classes.fill(value, first, last + 1)
  for (const character of URDU) classes[character.charCodeAt(0)] = C.arabicUrdu
  for (const character of TRADITIONAL) classes[character.charCodeAt(0)] = C.hanTraditional
  return classes
}
