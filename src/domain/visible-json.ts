import { INNER_JOINER } from './inner-joiner.ts'
import { unicodeEscape } from './unicode-escape.ts'

/**
 * What cannot be seen, or changes how the rest is seen: control, bidi, zero-width, tag and other ignorable characters, and line
 * separators; and the brackets of which a tag is made. Joiners inside emoji and words are left as they are.
 */
const HIDDEN = new RegExp(
  String.raw`(?!${INNER_JOINER})[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}<>]`,
  'gu',
)

/**
 * JSON on one line in which everything can be seen: hidden characters stand as escapes, so that `JSON.parse` gives back exactly
 * what was written, and no string inside it can open or close a tag.
 */
export function visibleJSON(value: unknown): string {
  return visible(JSON.stringify(value))
}

/** A text for people and models to read, with the same escapes. */
export function visible(text: string): string {
  return text.replaceAll(HIDDEN, unicodeEscape)
}
