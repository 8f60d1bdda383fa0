import { type SentenceSpan, sentenceSpans } from '../../../domain/sentence-spans.ts'

/** A fact is told in fewer; a longer stretch without an end is no prose. */
const CHARACTERS_MAX = 500
const SEMICOLON = /;\s+/g

/** Where each statement of a text is: a sentence, or what a semicolon ends in one. */
export function* statementSpans(text: string): Generator<SentenceSpan> {
  for (const sentence of sentenceSpans(text))
    for (const span of atSemicolons(text, sentence)) if (span.end - span.start <= CHARACTERS_MAX) yield span
}

function* atSemicolons(text: string, { start, end }: SentenceSpan): Generator<SentenceSpan> {
  let from = start
  for (const { 0: mark, index } of text.slice(start, end).matchAll(SEMICOLON)) {
    yield { start: from, end: start + index + 1 }
    from = start + index + mark.length
  }
  if (from < end) yield { start: from, end }
}
