import type { Tokenizer } from '../ports/tokenizer.ts'

/**
 * The most characters handed to a tokenizer at once. The slowest text known (random letters, which no vocabulary holds)
 * takes an exact tokenizer a microsecond a character: about 5 ms a slice, with room for a slow machine.
 */
export const SLICE_CHARACTERS_MAX = 4_096

/**
 * Counts a text of any size without holding the event loop: in slices, with a turn of the loop between them.
 *
 * A slice ends where both OpenAI encodings part a text anyway (after a word or number, before what is neither), so the
 * sum is what the whole would count. Where half a slice offers no such place (a blob, a script without spaces or
 * punctuation) it is cut anyway and one token is added, so that the sum is not too low. An estimate is rounded up per
 * slice: at most one token more in 4,096 characters.
 */
export async function countText(tokenizer: Tokenizer, text: string): Promise<number> {
  if (text.length <= SLICE_CHARACTERS_MAX) return tokenizer.count(text)
  let tokens = 0
  let start = 0
  while (text.length - start > SLICE_CHARACTERS_MAX) {
    const seam = findSeam(text, start)
    const end = seam ?? forcedEnd(text, start)
    tokens += tokenizer.count(text.slice(start, end)) + (seam === undefined ? 1 : 0)
    start = end
    await loopTurn()
  }
  return tokens + tokenizer.count(text.slice(start))
}

/** One turn of the event loop: input and output that wait are served. */
export function loopTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}

function findSeam(text: string, start: number): number | undefined {
  for (let index = start + SLICE_CHARACTERS_MAX; index > start + SLICE_CHARACTERS_MAX / 2; index--) {
    if (isSeam(text.charCodeAt(index - 1), text.charCodeAt(index))) return index
  }
  return undefined
}

/** Whether no piece of either encoding can span these two characters, and neither side looks beyond the gap. */
function isSeam(before: number, after: number): boolean {
  // An apostrophe may begin a contraction, which belongs to the word.
  if (isAsciiWord(before)) return after < 0x80 && after !== 0x27 && !isAsciiWord(after)
  return isCjkLetter(before) && isCjkPunctuation(after)
}

function isAsciiWord(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a)
}

function isCjkLetter(code: number): boolean {
  return (code >= 0x4e00 && code <= 0x9fff) || (code >= 0x3041 && code <= 0x3096) || (code >= 0x30a1 && code <= 0x30fa)
}

/** `、 。 ！ ， ： ； ？` */
function isCjkPunctuation(code: number): boolean {
  return (
    code === 0x3001 ||
    code === 0x3002 ||
    code === 0xff01 ||
    code === 0xff0c ||
    code === 0xff1a ||
    code === 0xff1b ||
    code === 0xff1f
  )
}

/** Never between the halves of a surrogate pair. */
function forcedEnd(text: string, start: number): number {
  const end = start + SLICE_CHARACTERS_MAX
  const code = text.charCodeAt(end - 1)
  return code >= 0xd800 && code <= 0xdbff ? end - 1 : end
}
