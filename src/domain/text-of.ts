import type { NewMessage } from './new-message.ts'

/**
 * Returns the text of a message, without reasoning, tool calls, results and files. Several texts are joined by line breaks. It takes
 * stored messages and new ones.
 */
export function textOf(message: Pick<NewMessage, 'content' | 'parts'>): string {
  const { content, parts } = message
  if (typeof content === 'string') return content
  const list: unknown = parts ?? content
  if (!Array.isArray(list)) return ''
  return list
    .filter((part: unknown): part is { readonly text: string } => isText(part))
    .map(({ text }) => text)
    .join('\n')
}

function isText(part: unknown): boolean {
  return (
    typeof part === 'object' &&
    part !== null &&
    'type' in part &&
    part.type === 'text' &&
    'text' in part &&
    typeof part.text === 'string'
  )
}
