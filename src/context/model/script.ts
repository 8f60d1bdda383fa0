/** Scripts that tell languages apart at a glance. Chinese and Japanese share one; languages of one script are not told apart. */
const SCRIPTS: readonly RegExp[] = [
  /\p{Script=Latin}/gu,
  /\p{Script=Cyrillic}/gu,
  /\p{Script=Greek}/gu,
  /\p{Script=Arabic}/gu,
  /\p{Script=Hebrew}/gu,
  /\p{Script=Devanagari}/gu,
  /\p{Script=Thai}/gu,
  /\p{Script=Hangul}/gu,
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu,
]
/** Fewer letters say nothing about a text's language. */
const LETTERS_MIN = 20
/** A question may be one short sentence among pages of output in English; a single word may be a name. */
const LETTERS_KNOWN = 8

/** Whether most of a text is in a script that the source has next to none of. */
export function isForeignScript(text: string, source: string): boolean {
  const letters = SCRIPTS.map((script) => ({ script, count: text.match(script)?.length ?? 0 }))
  const total = letters.reduce((sum, { count }) => sum + count, 0)
  const main = letters.find(({ count }) => count > total / 2)
  return main !== undefined && total >= LETTERS_MIN && !hasLetters(source, main.script)
}

function hasLetters(text: string, script: RegExp): boolean {
  let count = 0
  for (const _ of text.matchAll(script)) if (++count >= LETTERS_KNOWN) return true
  return false
}
