const ASCII = /^[\u0000-\u007f]*$/
const ACCENTS = /[\u0300-\u036f]+/g
/** Letters that are of their own and that no decomposition takes apart. */
const LETTERS: ReadonlyMap<string, string> = new Map(
  Object.entries({ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i' }),
)
const OWN_LETTER = /[ßæœøłđðþı]/g

/** Text as it is compared: lower case, compatible forms made one, accents gone. Composed again, so that Hangul stays syllables. */
export function normaliseWord(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()
  return text
    .normalize('NFKD')
    .replaceAll(ACCENTS, '')
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(OWN_LETTER, (letter) => LETTERS.get(letter) ?? letter)
}
