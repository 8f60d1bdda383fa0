/** The whole text, else what is between fences, else from the first brace to the last. `undefined` if none is JSON. */
export function findJSON(text: string): unknown {
  for (const candidate of [text, betweenFences(text), betweenBraces(text)]) {
    const value = candidate === undefined ? undefined : parseJSON(candidate)
    if (value !== undefined) return value
  }
  return undefined
}

function betweenFences(text: string): string | undefined {
  const open = text.indexOf('```')
  const begin = open < 0 ? -1 : text.indexOf('\n', open)
  const end = begin < 0 ? -1 : text.indexOf('```', begin)
  return end < 0 ? undefined : text.slice(begin, end)
}

function betweenBraces(text: string): string | undefined {
  const begin = text.indexOf('{')
  const end = text.lastIndexOf('}')
  return begin < 0 || end < begin ? undefined : text.slice(begin, end + 1)
}

function parseJSON(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
