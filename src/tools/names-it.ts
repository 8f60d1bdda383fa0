/** A letter or digit of a script that has spaces between words. */
const SPACED_START = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Arabic}\p{Script=Hebrew}\p{N}]/u
const SPACED_END = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Arabic}\p{Script=Hebrew}\p{N}]$/u

/** Whether a text has a name in it as a whole: "Ada" is not in "Canada". Scripts without spaces between words have no such ends. */
export function namesIt(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0 && name !== ''; at = text.indexOf(name, at + 1)) {
    const end = at + name.length
    // Two units hold any character. The whole text here would make the search quadratic.
    const [before, after] = [text.slice(Math.max(0, at - 2), at), text.slice(end, end + 2)]
    if (!(SPACED_END.test(before) && SPACED_START.test(name)) && !(SPACED_END.test(name) && SPACED_START.test(after)))
      return true
  }
  return false
}
