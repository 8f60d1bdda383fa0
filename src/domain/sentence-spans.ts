/** Part of a text. */
export interface SentenceSpan {
  readonly start: number
  readonly end: number
}

/** A line break, or the marks that end a sentence with the quotation marks and brackets that they close. */
const END = /(?<![.!?…])[.!?…]+["')\]»”’]{0,3}(?=\s|$)|[。！？]+["')\]»”’」』]{0,3}|[\r\n\u0085\u2028\u2029]+/g
const BREAK = /^[\r\n\u0085\u2028\u2029]/
const BLANKS = /^\s*/u
const ABBREVIATION_CHARACTERS_MAX = 8
/** Before a full stop that ends no sentence. */
const ABBREVIATION =
  /(?:^|[\s(])(?:dr|mr|mrs|ms|mme|mlle|hr|fr|sr|sra|prof|st|ste|ft|mt|jas|jr|vs|etc|no|nr|inc|str|approx|ca|bzw|e\.g|i\.e|z\.b|d\.h|\d{1,2})$/iu
const INITIAL = /(?:^|[\s(])\p{Lu}$/u

/** Where each sentence of a text begins and ends, its closing mark included. A line is a sentence too. */
export function* sentenceSpans(text: string): Generator<SentenceSpan> {
  let start = 0
  for (const { 0: mark, index } of text.matchAll(END)) {
    const word = text.slice(Math.max(start, index - ABBREVIATION_CHARACTERS_MAX), index)
    if (mark === '.' && (ABBREVIATION.test(word) || INITIAL.test(word))) continue
    yield* withoutBlanks(text, start, BREAK.test(mark) ? index : index + mark.length)
    start = index + mark.length
  }
  yield* withoutBlanks(text, start, text.length)
}

function* withoutBlanks(text: string, from: number, end: number): Generator<SentenceSpan> {
  const blanks = BLANKS.exec(text.slice(from, end))?.[0].length ?? 0
  if (from + blanks < end) yield { start: from + blanks, end }
}
