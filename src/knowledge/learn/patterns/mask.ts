/** In place of what is not the speaker's own: ends every name and phrase, and is in none. */
export const MASKED = '\uE000'

/** A line of code, of a configuration, of a log or of data. */
const CODE_LINE =
  /^(?:[ \t]{0,40}(?:\/\/|\/\*|#(?!\d)|--\s|<!--|def |class |function |import |from \S+ import|const |let |var |return\b|public |private |export |if \(|for \(|while \(|print\(|echo |INSERT |SELECT |UPDATE |DELETE FROM|CREATE TABLE|\$ |>>> |at \S+\(|(?:Uncaught )?(?:[A-Z]\w{0,30})?(?:Error|Exception|Warning):)|[ \t]{0,8}(?:\[)?\d{4}-\d\d-\d\d[ T]\d\d:\d\d|[ \t]{0,8}[[{]["{[])[^\n]{0,100000}|^[^\n]{0,2000}(?:[;{}]|\);|=>)[ \t]{0,4}$/gm
/** `key: value`, as in YAML; two in a row are data and not prose. */
const SETTINGS = /(?:^[ \t]{0,20}(?:- )?[a-z][\w.-]{0,30}:(?: [^\n]{0,400})?(?:\n|$)){2,}/gm

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
  /<([a-z][a-z0-9]{0,20})\b[^<>\n]{0,200}>[^<\n]{0,2000}<\/\1>/gi, // markup, with what it encloses
  /<[a-z!/][^<>\n]{0,400}>/gi,
  CODE_LINE,
  SETTINGS,
]
/** A line of somebody's speech in a transcript: `Bob: I live in Rome`. What introduces the speaker's own words is none. */
const SPEECH =
  /^[ \t]{0,8}(?:\[[^\]\n]{1,40}\][ \t]{0,4})?(\p{Lu}[\p{L}\d_.-]{0,30}(?: [\p{L}\d_.-]{1,30})?):(?=\s)[^\n]{0,100000}/gmu
const OWN_LABEL =
  /^(?:ps|p\.s\.|note|fyi|btw|update|also|info|important|hint|reminder|hinweis|wichtig|nachtrag|for context|context|background|quick background|tl;dr|tldr|heads up|quick note|one more thing|rule|rules|house rule|decision|summary|about me|über mich|remember|merke)$/i

/** Two lines of a mail's head, or what a mail program writes above the mail that is answered: all below is somebody else's. */
const MAIL =
  /^[ \t>]{0,8}(?:(?:from|to|cc|sent|date|subject|von|an|gesendet|datum|betreff):[^\n]{0,400}\n[ \t>]{0,8}(?:from|to|cc|sent|date|subject|von|an|gesendet|datum|betreff):|-{3,20} ?(?:original message|forwarded message|ursprüngliche nachricht|weitergeleitete nachricht)|(?:on|am) [^\n]{6,120} (?:wrote|schrieb)[^\n]{0,80}:\s{0,4}$)/im

/** A line that announces somebody's text: all below is that text. */
const ANNOUNCED =
  /^[^\n]{0,200}\b(?:here(?:['’]s| is| are)|below|following|paste[ds]?|copied|review|transcript|e-?mail|ticket|article|document|readme|wiki|style guide|guidelines|job ad|log|logs|output|quote|letter|bio|cv|resume|text|message|post|comment|chat|conversation|wrote|says|reads|said)\b[^\n]{0,80}[:.][ \t]{0,4}\n/imu

/** The text with everything blotted out that the speaker shows rather than says. Every character keeps its place. */
export function maskForeign(text: string): string {
  const announced = ANNOUNCED.exec(text)
  const foreign = Math.min(
    MAIL.exec(text)?.index ?? text.length,
    announced === null ? text.length : announced.index + announced[0].length,
  )
  const own = text.slice(0, foreign) + blot(text.slice(foreign))
  const blotted = NOT_OWN.reduce((masked, pattern) => masked.replaceAll(pattern, blot), own)
  return blotted.replaceAll(SPEECH, (line: string, label: string) => (OWN_LABEL.test(label) ? line : blot(line)))
}

function blot(found: string): string {
  return MASKED.repeat(found.length)
}
