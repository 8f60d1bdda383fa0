import { MASKED } from './mask.ts'

/** What a clause of the speaker's own may follow: nothing, a comma, a conjunction, a word of greeting or of agreement. */
const OPENING = new RegExp(
  String.raw`(?:^|[,:;–—(•*]|\s-|\.\.\.|[${MASKED}]+)\s{0,8}(?:(?:and|but|so|also|because|since|yes|no|yeah|yep|well|ok|okay|actually|anyway|btw|by the way|fyi|hi|hello|hey|thanks|sorry|please|now|today|oh|und|aber|also|weil|ja|nein|naja|hallo|hi|übrigens|danke|bitte|denn|außerdem|then|too|basically|honestly|in fact|in this (?:project|repo|codebase)|for this project|at work|at home|at our company|(?:in|on) (?:our|my) team|for context|context|you know|just so you know|for the record|as i said|like i said|remember that|remember|note that|note|keep in mind that|keep in mind|don['’]t forget that|don['’]t forget|do not forget that|merk dir|merke dir|vergiss nicht)[,!:]?\s{1,4}){0,3}|\s(?:and|but|because|und|aber)\s{1,4}(?:also |auch )?`,
  'giu',
)

/** Positions in a sentence where the speaker may begin to say something. */
export function clauseStarts(sentence: string): readonly number[] {
  const starts = [...sentence.matchAll(OPENING)].flatMap(({ 0: found, index }) => {
    const first = index + (found.length - found.trimStart().length)
    return [first, index + found.length]
  })
  return [...new Set(starts)].filter((start) => start < sentence.length).toSorted((a, b) => a - b)
}
