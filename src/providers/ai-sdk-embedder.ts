import { defined } from '../domain/defined.ts'
import { refuse } from '../domain/refuse.ts'
import type { EmbedAnswer, Embedder } from '../ports/embedder.ts'

/** What `doEmbed` is called with: what versions 2, 3 and 4 of the specification have in common. */
export interface AISDKEmbedOptions {
  values: string[]
  abortSignal: AbortSignal
}

/**
 * The part of the AI SDK's `EmbeddingModelV2`, `V3` and `V4` that is used here, so that none of its packages is needed.
 * Answers are read and not trusted.
 */
export interface AISDKEmbeddingModel {
  readonly specificationVersion: 'v2' | 'v3' | 'v4'
  readonly provider: string
  readonly modelId: string
  readonly maxEmbeddingsPerCall: PromiseLike<number | undefined> | number | undefined
  doEmbed(options: AISDKEmbedOptions): PromiseLike<unknown>
}

export function fromAISDKEmbedding(model: AISDKEmbeddingModel, dimensions: number | undefined): Embedder {
  const name = `${model.provider}/${model.modelId}`
  return {
    name,
    dimensions,
    async embed({ texts, signal }) {
      const most = await model.maxEmbeddingsPerCall
      const perCall = typeof most === 'number' && most >= 1 ? Math.floor(most) : texts.length
      const answers: EmbedAnswer[] = []
      for (let from = 0; from < texts.length; from += perCall) {
        const values = texts.slice(from, from + perCall)
        answers.push(readResult(name, await model.doEmbed({ values, abortSignal: signal })))
      }
      const tokens = answers.map((answer) => answer.tokens).filter((count) => count !== undefined)
      return {
        vectors: answers.flatMap(({ vectors }) => vectors),
        ...(tokens.length === answers.length && { tokens: tokens.reduce((sum, count) => sum + count, 0) }),
      }
    },
  }
}

function readResult(name: string, result: unknown): EmbedAnswer {
  const attempt = `read the reply of ${name}`
  if (typeof result !== 'object' || result === null) refuse(attempt, 'result', result, 'an object')
  const embeddings = 'embeddings' in result ? result.embeddings : undefined
  if (!Array.isArray(embeddings)) refuse(attempt, 'embeddings', embeddings, 'an array')
  const tokens = readTokens('usage' in result ? result.usage : undefined)
  return { vectors: embeddings as EmbedAnswer['vectors'], ...defined({ tokens }) }
}

function readTokens(usage: unknown): number | undefined {
  if (typeof usage !== 'object' || usage === null || !('tokens' in usage)) return undefined
  const { tokens } = usage
  return typeof tokens === 'number' && Number.isFinite(tokens) && tokens >= 0 ? Math.ceil(tokens) : undefined
}
