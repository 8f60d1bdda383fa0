import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider'

export interface RecordingOptions {
  /** Hears text while it is being written. */
  readonly onText: (delta: string) => void
  /** Stores what the model said. The loop acts on it only after this resolved. */
  readonly record: (content: readonly LanguageModelV4Content[], usage: ProviderUsage) => Promise<void>
}

export type ProviderUsage = LanguageModelV4GenerateResult['usage']

/**
 * A model whose every answer is in the log before anybody acts on it: when the process is killed in the middle of a tool call,
 * the call is on record. It streams from the model inside, so that people see text as it comes, and hands the loop whole answers.
 */
export function recordingModel(inner: LanguageModelV4, { onText, record }: RecordingOptions): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider: inner.provider,
    modelId: inner.modelId,
    supportedUrls: inner.supportedUrls,
    doStream: (options) => inner.doStream(options),
    async doGenerate(options: LanguageModelV4CallOptions) {
      const { stream } = await inner.doStream(options)
      const answer = await collect(stream, onText)
      await record(answer.content, answer.usage)
      return answer
    },
  }
}

const NO_USAGE: ProviderUsage = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
}

/** The whole answer of a stream. An error in it is an error: half an answer is not recorded as one. */
async function collect(
  stream: ReadableStream<LanguageModelV4StreamPart>,
  onText: (delta: string) => void,
): Promise<LanguageModelV4GenerateResult> {
  const content: LanguageModelV4Content[] = []
  const open = new Map<string, { type: 'text' | 'reasoning'; text: string }>()
  let end: Pick<LanguageModelV4GenerateResult, 'usage' | 'finishReason' | 'providerMetadata'> | undefined
  let warnings: LanguageModelV4GenerateResult['warnings'] = []
  for await (const part of stream as unknown as AsyncIterable<LanguageModelV4StreamPart>) {
    switch (part.type) {
      case 'stream-start':
        warnings = part.warnings
        break
      case 'text-start':
      case 'reasoning-start': {
        const block = { type: part.type === 'text-start' ? ('text' as const) : ('reasoning' as const), text: '' }
        open.set(`${block.type} ${part.id}`, block)
        content.push(block)
        break
      }
      case 'text-delta':
        append(open.get(`text ${part.id}`), part.delta)
        onText(part.delta)
        break
      case 'reasoning-delta':
        append(open.get(`reasoning ${part.id}`), part.delta)
        break
      case 'text-end':
      case 'reasoning-end':
        // Signatures come with the end of a block; without them a provider refuses its own reasoning.
        if (part.providerMetadata !== undefined)
          Object.assign(open.get(`${part.type === 'text-end' ? 'text' : 'reasoning'} ${part.id}`) ?? {}, {
            providerMetadata: part.providerMetadata,
          })
        break
      case 'tool-call':
        content.push(part)
        break
      case 'finish':
        end = part
        break
      case 'error':
        throw part.error instanceof Error ? part.error : new Error(String(part.error))
      default: // what is for display only, or belongs to tools that the provider runs
    }
  }
  return {
    content,
    warnings,
    usage: end?.usage ?? NO_USAGE,
    finishReason: end?.finishReason ?? { unified: 'interrupted', raw: undefined },
    ...(end?.providerMetadata === undefined ? {} : { providerMetadata: end.providerMetadata }),
  }
}

function append(block: { text: string } | undefined, delta: string): void {
  if (block !== undefined) block.text += delta
}
