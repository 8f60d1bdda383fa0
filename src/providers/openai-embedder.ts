import { MemoryError } from '../domain/error.ts'
import { refuse } from '../domain/refuse.ts'
import type { EmbedAnswer, Embedder } from '../ports/embedder.ts'

/** Where an OpenAI-compatible provider embeds, and with what. */
export interface OpenAIEmbedderOptions {
  /** The address of the API, for example `http://127.0.0.1:11434/v1`. */
  readonly address: string
  readonly model: string
  /** Sent as a bearer token. @default none */
  readonly key?: string
}

/** An embedder that asks `POST <address>/embeddings`, as OpenAI, Ollama, vLLM and others have it. No package is needed. */
export function openaiEmbedder({ address, model, key }: OpenAIEmbedderOptions): Embedder {
  const url = `${address.replace(/\/+$/, '')}/embeddings`
  const authorization = key === undefined ? {} : { authorization: `Bearer ${key}` }
  return {
    // The same model gives the same vectors wherever it runs.
    name: model,
    dimensions: undefined,
    async embed({ texts, signal }) {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...authorization },
        body: JSON.stringify({ model, input: texts, encoding_format: 'float' }),
        signal,
      })
      if (!response.ok)
        throw new MemoryError('model/unavailable', `Cannot embed with ${model}: ${url} returned ${response.status}`, {
          status: response.status,
        })
      return readEmbeddings(model, await response.json())
    },
  }
}

/** In the order of the texts, whatever the order of the response. */
function readEmbeddings(model: string, body: unknown): EmbedAnswer {
  const attempt = `read the embeddings of ${model}`
  const { data, usage } = (body ?? {}) as { data?: unknown; usage?: { total_tokens?: unknown } | null }
  if (!Array.isArray(data)) refuse(attempt, 'data', data, 'an array')
  const rows = data as readonly { readonly index?: number; readonly embedding?: unknown }[]
  const sorted = rows.map((row, at) => ({ ...row, at: row.index ?? at })).toSorted((a, b) => a.at - b.at)
  const vectors = sorted.map(({ embedding }) =>
    Array.isArray(embedding) ? (embedding as number[]) : refuse(attempt, 'embedding', embedding, 'an array of numbers'),
  )
  const tokens = usage?.total_tokens
  return { vectors, ...(typeof tokens === 'number' && tokens >= 0 ? { tokens } : {}) }
}
