import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import type { DialectForms } from '../../dialects/forms.ts'

type Message = DialectForms['ai-sdk']['messages'][number]
type Content = Message['content'][number]

/** Messages of an application as a model takes them: instructions are messages, and files are tagged. */
export function promptMessages({ instructions, messages }: DialectForms['ai-sdk']): LanguageModelV4Prompt {
  const system = typeof instructions === 'string' ? [{ role: 'system', content: instructions }] : (instructions ?? [])
  const said = messages.map((message) => ({ ...message, content: (message.content as readonly Content[]).map(tagged) }))
  return [...system, ...said] as LanguageModelV4Prompt
}

function tagged(part: Content): object {
  if (part.type !== 'file' || typeof part.data !== 'string') return part
  const { data } = part
  return {
    ...part,
    data: /^(?:https?|gs):/i.test(data) ? { type: 'url', url: new URL(data) } : { type: 'data', data },
  }
}
