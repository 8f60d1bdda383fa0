import type { ToolOutput } from '../../domain/part.ts'

/** What a tool returned, as text. */
export function resultText(output: ToolOutput): string {
  if (output.type === 'text') return output.text
  if (output.type === 'json') return JSON.stringify(output.value, null, 2)
  return output.parts.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`)).join('\n')
}
