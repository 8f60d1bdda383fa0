/** Longer runs do not occur in any language. Unicode's stream-safe text format has the same limit. */
const MARKS_MAX = 30
const LONG_RUN = /\p{M}{31,}/gu
/** Combining grapheme joiner: normalization reorders no mark across it. */
const JOINER = '\u034f'

/**
 * `text.normalize(form)` in linear time. Normalization sorts the combining marks behind a letter, which takes quadratic time for a
 * run of a million marks: such runs are split first.
 */
export function normalizeText(text: string, form: 'NFKC' | 'NFKD'): string {
  return (text.length <= MARKS_MAX ? text : text.replaceAll(LONG_RUN, split)).normalize(form)
}

function split(run: string): string {
  const marks = [...run]
  const pieces: string[] = []
  for (let at = 0; at < marks.length; at += MARKS_MAX) pieces.push(marks.slice(at, at + MARKS_MAX).join(''))
  return pieces.join(JOINER)
}
