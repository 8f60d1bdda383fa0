/** Scripts whose words are written with joiners, as Persian and Hindi are. */
const SCRIPTS =
  'Arabic Bengali Devanagari Gujarati Gurmukhi Kannada Khmer Malayalam Mongolian Myanmar Nko Oriya Sinhala Syriac Tamil Telugu'
const LETTER = `[${SCRIPTS.split(' ')
  .map((script) => String.raw`\p{Script=${script}}`)
  .join('')}]`
const PICTURE = String.raw`\p{Extended_Pictographic}`
const BEFORE_PICTURE = String.raw`[${PICTURE}\p{Emoji_Modifier}\uFE0F]`

/**
 * The pattern of a joiner inside an emoji or inside a word of a script that uses joiners. Such a joiner hides nothing: without it
 * the text is written differently. For regular expressions with the flag `u`.
 */
export const INNER_JOINER: string = [
  String.raw`[\u200C\u200D](?<=${LETTER}[\u200C\u200D])(?=${LETTER})`,
  String.raw`\u200D(?<=${BEFORE_PICTURE}\u200D)(?=${PICTURE})`,
  String.raw`\uFE0F(?<=${PICTURE}\uFE0F)`,
  String.raw`\uFE0F(?<=[0-9#*]\uFE0F)(?=\u20E3)`,
].join('|')
