export interface Sentence {
  readonly start: number
  readonly end: number
}

/** A fact is told in fewer; a longer stretch without an end is no prose. */
const CHARACTERS_MAX = 500
const END = /(?<![.!?…])[.!?…]+["')\]]{0,3}(?=\s|$)|\n+|;(?=\s)/g
const BLANKS = /^\s*/u
/** Before a full stop that ends no sentence. */
const ABBREVIATION =
  /(?:^|[\s(])(?:dr|mr|mrs|ms|st|ste|ft|mt|prof|jr|sr|vs|etc|no|inc|approx|e\.g|i\.e|z\.b|bzw|ca|nr|str|\p{L}|\d{1,2})$/iu

/** Where each sentence begins and ends, its closing mark included. */
export function* sentenceSpans(text: string): Generator<Sentence> {
  let start = 0
  for (const { 0: mark, index } of text.matchAll(END)) {
    if (mark === '.' && ABBREVIATION.test(text.slice(Math.max(start, index - 8), index))) continue
    const end = index + mark.length
    yield* prose(text, start, end)
    start = end
  }
  yield* prose(text, start, text.length)
}

/** Without the blanks before it, which stand where something was taken out. */
function* prose(text: string, from: number, end: number): Generator<Sentence> {
  const blanks = BLANKS.exec(text.slice(from, end))?.[0].length ?? 0
  const start = from + blanks
  if (start < end && end - start <= CHARACTERS_MAX) yield { start, end }
}
