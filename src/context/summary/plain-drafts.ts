import type { Draft } from '../../domain/message.ts'
import type { Part, ToolOutput } from '../../domain/part.ts'
import { type Entry, draftsOf } from '../window/entry.ts'
import { unmarked } from './marker.ts'

/** What an entry says: of a shortened message the words that are left, without our markers. */
export function plainDrafts(entry: Entry): readonly Draft[] {
  if (entry.type === 'message') return [entry.message]
  return draftsOf(entry).map((draft) => ({ ...draft, parts: draft.parts.map(plainPart) }))
}

function plainPart(part: Part): Part {
  if (part.type === 'text') return { ...part, text: unmarked(part.text) }
  return part.type === 'tool-result' ? { ...part, output: plainOutput(part.output) } : part
}

function plainOutput(output: ToolOutput): ToolOutput {
  if (output.type === 'text') return { ...output, text: unmarked(output.text) }
  if (output.type === 'json') return output
  return {
    ...output,
    parts: output.parts.map((part) => (part.type === 'text' ? { ...part, text: unmarked(part.text) } : part)),
  }
}
