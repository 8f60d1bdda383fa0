export interface EmbedRequest {
  readonly texts: readonly string[]
  /** Aborted when the answer is no longer needed. */
  readonly signal: AbortSignal
}

export interface EmbedAnswer {
  /** One for each text, in their order. */
  readonly vectors: readonly ArrayLike<number>[]
  /** As the provider counted them. */
  readonly tokens?: number
}

/** Turns texts into vectors. May fail, stall or answer anything: whoever calls it bounds the wait and checks the answer. */
export interface Embedder {
  /** Names the vector space, with the dimensions: vectors of two names are never compared. `openai.embedding/text-embedding-3-small` */
  readonly name: string
  /** How long its vectors are; `undefined` if only its first answer tells. */
  readonly dimensions: number | undefined
  embed(request: EmbedRequest): Promise<EmbedAnswer>
}
