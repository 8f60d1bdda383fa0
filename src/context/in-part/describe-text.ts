/** Longer texts are not parsed: that would hold up everybody else. */
const PARSED_CHARACTERS_MAX = 500_000
const KEYS_MAX = 8
const KEY_CHARACTERS_MAX = 40

/** What a text is, in a few words: `JSON object with keys id, rows`, `1402 lines`. Empty for a single line of words. */
export function describeText(text: string): string {
  return describeJson(text) ?? describeLines(text)
}

function describeJson(text: string): string | undefined {
  const first = /^\s{0,100}[[{]/.exec(text)
  if (first === null || text.length > PARSED_CHARACTERS_MAX) return undefined
  try {
    const value: unknown = JSON.parse(text)
    if (!Array.isArray(value)) return `JSON object with ${keysOf(value as object)}`
    const objects = value.filter(
      (item) => typeof item === 'object' && item !== null && !Array.isArray(item),
    ) as object[]
    const keys =
      objects.length === value.length && objects[0] !== undefined ? ` of objects with ${keysOf(objects[0])}` : ''
    return `JSON array with ${value.length} items${keys}`
  } catch {
    return undefined
  }
}

function keysOf(value: object): string {
  const keys = Object.keys(value)
  const shown = keys.slice(0, KEYS_MAX).map((key) => key.slice(0, KEY_CHARACTERS_MAX).replaceAll(/[\s[\]]+/g, ' '))
  const more = keys.length - shown.length
  return keys.length === 0 ? 'no keys' : `keys ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

function describeLines(text: string): string {
  let lines = 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1
  return lines === 1 ? '' : `${lines} lines`
}
