import type { ToolOutput } from '../../domain/part.ts'
import { toJSON } from './json.ts'
import { mediaPlaceholder } from './media.ts'

/** A tool's output as one text, for dialects and places that take nothing else. */
export function outputText(output: ToolOutput): string {
  if (output.type === 'text') return output.text
  if (output.type === 'json') return toJSON(output.value)
  return output.parts.map((part) => (part.type === 'text' ? part.text : mediaPlaceholder(part))).join('\n')
}
