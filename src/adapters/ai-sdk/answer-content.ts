import { defined } from '../../domain/defined.ts'
import type { LanguageModelV4Content, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { fromAISDK } from '../../dialects/from-ai-sdk.ts'
import type { NewMessage } from '../../domain/new-message.ts'

type Block = Readonly<Record<string, unknown>>

/** The reply of a model as a message to append; nothing if it said nothing. */
export function answerMessages(content: readonly LanguageModelV4Content[]): readonly NewMessage[] {
  const parts = content.flatMap((part): readonly Block[] => {
    // Sources are about the reply and no part of it: no provider accepts them.
    if (part.type === 'source') return []
    const { providerMetadata, ...rest } = part as Block & { readonly providerMetadata?: unknown }
    const options = defined({ providerOptions: providerMetadata })
    if (part.type === 'text' && part.text === '' && providerMetadata === undefined) return []
    if (part.type !== 'tool-result') return [{ ...rest, ...options }]
    const { toolCallId, toolName, result, isError } = part
    const output = { type: isError === true ? 'error-json' : 'json', value: result }
    return [{ type: 'tool-result', toolCallId, toolName, output, ...options }]
  })
  return parts.length === 0 ? [] : fromAISDK([{ role: 'assistant', content: parts }])
}

/** Puts the pieces of a stream together, as `doGenerate` would have returned them. */
export class StreamedContent {
  readonly #content: (Block & { text?: string })[] = []
  readonly #open = new Map<string, Block & { text: string; providerMetadata?: unknown }>()

  add(part: LanguageModelV4StreamPart): void {
    switch (part.type) {
      case 'text-start':
      case 'reasoning-start': {
        const block = { type: part.type === 'text-start' ? 'text' : 'reasoning', text: '', ...metadataOf(part) }
        this.#open.set(`${block.type} ${part.id}`, block)
        this.#content.push(block)
        return
      }
      case 'text-delta':
      case 'reasoning-delta':
      case 'text-end':
      case 'reasoning-end': {
        const block = this.#open.get(`${part.type.slice(0, part.type.indexOf('-'))} ${part.id}`)
        if (block === undefined) return
        if ('delta' in part) block.text += part.delta
        Object.assign(block, metadataOf(part))
        return
      }
      case 'tool-call':
      case 'tool-result':
      case 'tool-approval-request':
      case 'file':
      case 'reasoning-file':
      case 'custom':
        this.#content.push(part as unknown as Block)
        break
      default:
    }
  }

  /** All of it. */
  whole(): readonly LanguageModelV4Content[] {
    return this.#content as unknown as readonly LanguageModelV4Content[]
  }
}

function metadataOf({ providerMetadata }: { readonly providerMetadata?: unknown }): { providerMetadata?: unknown } {
  return defined({ providerMetadata })
}
