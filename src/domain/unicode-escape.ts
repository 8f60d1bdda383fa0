/** A character as JSON and JavaScript escape it: `\u200b`. */
export function unicodeEscape(character: string): string {
  return Array.from(
    { length: character.length },
    (_, index) => String.raw`\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('')
}
