import { isPlainObject } from '../../domain/check-json.ts'
import type { Draft } from '../../domain/message.ts'
import type { Part, ToolOutput } from '../../domain/part.ts'
import { FOLD_ID, OFFLOADED_KEY } from '../summary/marker.ts'

/** A marker of ours, wherever in a text it stands: quoted text has no place for a fold's id. */
const MARKERS = new RegExp(String.raw`\[[^\[\]\n]*${FOLD_ID.replaceAll(/[{}]/g, String.raw`\$&`)}[^\[\]\n]*\]`, 'g')

/**
 * A stand-in in other words. What is replaced is its longest text that has a marker, or its longest text if none has;
 * markers stay before the new words. All else stays, so that a shortened tool result is still the result of its call,
 * with its name and metadata, beside the others of its message. Words that become somebody's own text are passed through
 * `voice` first; those in a tool result have the tool's voice already.
 */
export function retell(
  standIn: readonly Draft[],
  words: string,
  voice: (words: string) => string = (text) => text,
): readonly Draft[] {
  const texts = standIn.flatMap(({ parts }) => parts.map(textOf))
  const chosen = longest(texts.map((text) => (text?.includes(FOLD_ID) ? text : undefined))) ?? longest(texts)
  if (chosen === undefined) return [...standIn, { role: 'user', parts: [{ type: 'text', text: voice(words) }] }]
  const markers = texts[chosen]?.match(MARKERS) ?? []
  const textIn = (part: Part): string => [...markers, part.type === 'text' ? voice(words) : words].join('\n')
  let index = 0
  return standIn.map((draft) => ({
    ...draft,
    parts: draft.parts.map((part) => (index++ === chosen ? withText(part, textIn(part)) : part)),
  }))
}

/** The index of the longest text; the first of equals. */
function longest(texts: readonly (string | undefined)[]): number | undefined {
  let best: number | undefined
  for (const [index, text] of texts.entries()) {
    if (text !== undefined && (best === undefined || text.length > (texts[best]?.length ?? 0))) best = index
  }
  return best
}

/** What in a part can be put in other words. */
function textOf(part: Part): string | undefined {
  if (part.type === 'text') return part.text
  return part.type === 'tool-result' ? outputText(part.output) : undefined
}

function outputText(output: ToolOutput): string {
  if (output.type === 'text') return output.text
  if (output.type === 'parts') return output.parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
  const stub = isPlainObject(output.value) ? output.value[OFFLOADED_KEY] : undefined
  return typeof stub === 'string' ? stub : JSON.stringify(output.value)
}

function withText(part: Part, text: string): Part {
  if (part.type === 'text') return { ...part, text }
  if (part.type !== 'tool-result') return part
  const media = part.output.type === 'parts' ? part.output.parts.filter(({ type }) => type !== 'text') : []
  if (media.length === 0) return { ...part, output: { type: 'text', text } }
  return { ...part, output: { type: 'parts', parts: [{ type: 'text', text }, ...media] } }
}
