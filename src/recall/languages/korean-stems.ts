const PARTICLE =
  /(?<=\p{Script=Hangul})(?:에서는|에게서|으로는|에서|에게|한테|께서|으로|까지|부터|처럼|보다|이랑|하고|라고|이나|은|는|이|가|을|를|에|로|와|과|도|의|만|랑|야|요)$/u
/** After the sign of the past, which is ㅆ under the syllable before. */
const AFTER_PAST = /^(.+?)(?:어요|습니다|습니까|는데요?|나요|었?던|어서|으면|어|다|지요?|고|니|죠|네요?|냐)$/u
const POLITE = /^(.+)요$/u
const FORMAL = /^(.+?)(?:습니다|습니까)$/u
const FORMAL_OPEN = /^(.+)(?:니다|니까)$/u
const JOINED = /^(.{1,3})(?:고|지|게|던|면|면서|려고|러|거나|도록)$/u
/** Before these, a stem that ends in ㄹ loses it. */
const JOINED_WITHOUT_L = /^(.{1,2})(?:는|니|네|나요|는데|냐|는지)$/u

const FIRST = 0xac00
const FINALS = 28
const VOWELS = 21
const [NO_FINAL, FINAL_L, FINAL_B, FINAL_SS] = [0, 8, 17, 20]
const [A, AE, EO, YEO, O, WA, OI, WAE, U, WO, EU, I] = [0, 1, 4, 6, 8, 9, 11, 10, 13, 14, 18, 20]
const [SILENT, H] = [11, 18]
/** A vowel that a stem's own and the first of its ending were drawn together into, and what the stem had. */
const APART: ReadonlyMap<number, readonly number[]> = new Map([
  [YEO, [I]],
  [WO, [U]],
  [WA, [O]],
  [WAE, [OI]],
  [EO, [EO, EU]],
  [A, [A, EU]],
])

/**
 * A word with and without its particle (사과 ends like one and is an apple), and the dictionary form of what may be a verb: 사는,
 * 살아요 and 살았다 are all forms of 살다. A wrong guess is a word that nobody asks for.
 */
export function koreanStems(word: string): readonly string[] {
  const verbs = verbStems(word).map((stem) => `${stem}다`)
  return [...new Set([word, word.replace(PARTICLE, ''), ...verbs])]
}

function verbStems(word: string): readonly string[] {
  const past = AFTER_PAST.exec(word)?.[1]
  if (past !== undefined && finalOf(past) === FINAL_SS) return withoutVowelOfEnding(withFinal(past, NO_FINAL))
  const formal = FORMAL.exec(word)?.[1]
  if (formal !== undefined) return [formal]
  const open = FORMAL_OPEN.exec(word)?.[1]
  if (open !== undefined && finalOf(open) === FINAL_B) return [withFinal(open, NO_FINAL), withFinal(open, FINAL_L)]
  const joined = JOINED.exec(word)?.[1]
  if (joined !== undefined) return [joined]
  const bare = JOINED_WITHOUT_L.exec(word)?.[1]
  if (bare !== undefined) return finalOf(bare) === NO_FINAL ? [bare, withFinal(bare, FINAL_L)] : [bare]
  const polite = POLITE.exec(word)?.[1]
  return polite === undefined || finalOf(polite) !== NO_FINAL ? [] : withoutVowelOfEnding(polite)
}

/** 살아 is 살, 마셔 is 마시, 해 is 하. */
function withoutVowelOfEnding(text: string): readonly string[] {
  const before = text.slice(0, -1)
  const { initial, vowel } = partsOf(text)
  if (initial === SILENT && (vowel === A || vowel === EO) && before !== '') return [before]
  if (initial === H && vowel === AE) return [`${before}하`]
  return (APART.get(vowel) ?? [vowel]).map((own) => before + syllable(initial, own))
}

function partsOf(text: string): { readonly initial: number; readonly vowel: number } {
  const code = text.charCodeAt(text.length - 1) - FIRST
  return { initial: Math.floor(code / (VOWELS * FINALS)), vowel: Math.floor(code / FINALS) % VOWELS }
}

function finalOf(text: string): number {
  const code = text.charCodeAt(text.length - 1) - FIRST
  return code < 0 || code > 11_171 ? -1 : code % FINALS
}

function withFinal(text: string, final: number): string {
  const code = text.charCodeAt(text.length - 1)
  return text.slice(0, -1) + String.fromCharCode(code - finalOf(text) + final)
}

function syllable(initial: number, vowel: number): string {
  return String.fromCharCode(FIRST + (initial * VOWELS + vowel) * FINALS)
}
