import { clip } from '../summary/excerpt.ts'
import { dataLine } from '../summary/marker.ts'

/** Where errors are looked for in a long text: at its beginning and its end. */
const SEARCHED_CHARACTERS_MAX = 400_000
const LINE_CHARACTERS_MAX = 160
const ERROR = /\b(?:error|exception|fatal|panic|failed|failure|traceback|cannot|denied|E[A-Z]{4,})\b/i

/** The lines of a text that say that something went wrong, each on one line, at most so many characters in all. */
export function errorLines(text: string, charactersMax: number): readonly string[] {
  const lines: string[] = []
  let room = charactersMax
  for (const piece of searched(text)) {
    for (const line of piece.split('\n')) {
      if (!ERROR.test(line.slice(0, 1_000))) continue
      const shown = clip(dataLine(line.slice(0, 1_000)), LINE_CHARACTERS_MAX)
      room -= shown.length + 3
      if (room < 0) return lines
      if (!lines.includes(shown)) lines.push(shown)
    }
  }
  return lines
}

function searched(text: string): readonly string[] {
  const half = SEARCHED_CHARACTERS_MAX / 2
  return text.length <= SEARCHED_CHARACTERS_MAX ? [text] : [text.slice(0, half), text.slice(-half)]
}
