import type { NewMessage } from './new-message.ts'

/**
 * Returns the text of a message, without reasoning, tool calls and files. Of a tool's result it returns the text, if it is one. Several
 * texts are joined by line breaks. It takes stored messages and new ones.
 */
export function textOf(message: Pick<NewMessage, 'content' | 'parts'>): string {
  const { content, parts } = message
  if (typeof content === 'string') return content
  const list: unknown = parts ?? content
  if (!Array.isArray(list)) return ''
  return list.flatMap(textsIn).join('\n')
}

function textsIn(part: unknown): readonly string[] {
  if (typeof part === 'string') return [part]
  if (typeof part !== 'object' || part === null || !('type' in part)) return []
  if (part.type === 'tool-result') return 'output' in part ? textsIn(part.output) : []
  if (part.type === 'parts') return 'parts' in part && Array.isArray(part.parts) ? part.parts.flatMap(textsIn) : []
  return part.type === 'text' && 'text' in part && typeof part.text === 'string' ? [part.text] : []
}
