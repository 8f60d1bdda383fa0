import type { LanguageModelV4Content } from '@ai-sdk/provider'
import { fromAISDK } from '../../dialects/from-ai-sdk.ts'
import type { NewMessage } from '../../domain/new-message.ts'

/** What a model said, as a message of the log; nothing if it said nothing. */
export function assistantMessage(content: readonly LanguageModelV4Content[]): readonly NewMessage[] {
  const parts = content.flatMap((part): readonly unknown[] => {
    if (part.type !== 'text' && part.type !== 'reasoning' && part.type !== 'tool-call') return []
    if (part.type === 'text' && part.text === '') return []
    const { providerMetadata, ...rest } = part
    const fields = providerMetadata === undefined ? {} : { providerOptions: providerMetadata }
    return [{ ...rest, ...fields, ...(part.type === 'tool-call' ? { input: parsed(part.input) } : {}) }]
  })
  return parts.length === 0 ? [] : fromAISDK([{ role: 'assistant', content: parts }])
}

function parsed(input: string): unknown {
  try {
    return JSON.parse(input) as unknown
  } catch {
    return input // the loop tells the model that it cannot be read; the log keeps what was written
  }
}
