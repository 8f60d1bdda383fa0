/** In place of what is not the speaker's own: ends every name and phrase, and is in none. */
export const MASKED = '\uE000'

/** Each is bounded or ends at its own first character: a text of any shape is walked over once. */
const NOT_OWN: readonly RegExp[] = [
  /```[^`]{0,100000}(?:```|$)/g, // code blocks
  /~~~[^~]{0,100000}(?:~~~|$)/g,
  /`[^`\n]{1,400}`/g, // code
  /^[ \t]{0,8}>[^\n]{0,100000}/gm, // quoted mail
  /"[^"\n]{1,1000}"/g,
  /“[^“”\n]{1,1000}”/g,
  /„[^„“”\n]{1,1000}[“”]/g,
  /»[^«»\n]{1,1000}«|«[^«»\n]{1,1000}»/g,
  // Not an apostrophe: opened after a blank, closed before one.
  /(?<=^|[\s(:,])['‘][^'’\n]{2,400}['’](?=$|[\s).,;:!?])/gm,
  /<[a-z!/][^<>\n]{0,400}>/gi, // markup
]
/** A line of somebody's speech in a transcript: `Bob: I live in Rome`. What introduces the speaker's own words is none. */
const SPEECH =
  /^[ \t]{0,8}(?:\[[^\]\n]{1,40}\][ \t]{0,4})?(\p{Lu}[\p{L}\d_.-]{0,30}(?: [\p{L}\d_.-]{1,30})?):(?=\s)[^\n]{0,100000}/gmu
const OWN_LABEL =
  /^(?:ps|p\.s\.|note|fyi|btw|update|also|info|important|hint|reminder|hinweis|wichtig|nachtrag|about me|über mich|remember|merke)$/i

/** Two lines of a mail's head, or what a mail program writes above the mail that is answered: all below is somebody else's. */
const MAIL =
  /^[ \t>]{0,8}(?:(?:from|to|cc|sent|date|subject|von|an|gesendet|datum|betreff):[^\n]{0,400}\n[ \t>]{0,8}(?:from|to|cc|sent|date|subject|von|an|gesendet|datum|betreff):|-{3,20} ?(?:original message|forwarded message|ursprüngliche nachricht|weitergeleitete nachricht)|(?:on|am) [^\n]{6,120} (?:wrote|schrieb)[^\n]{0,80}:\s{0,4}$)/im

/** The text with everything blotted out that the speaker shows rather than says. Every character keeps its place. */
export function maskForeign(text: string): string {
  const mail = MAIL.exec(text)?.index ?? text.length
  const own = text.slice(0, mail) + blot(text.slice(mail))
  const blotted = NOT_OWN.reduce((masked, pattern) => masked.replaceAll(pattern, blot), own)
  return blotted.replaceAll(SPEECH, (line: string, label: string) => (OWN_LABEL.test(label) ? line : blot(line)))
}

function blot(found: string): string {
  return MASKED.repeat(found.length)
}
