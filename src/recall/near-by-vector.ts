import type { VectorSource } from './sources.ts'
import { readVectorKey } from './vectors/message-source.ts'
import type { Vectors } from './vectors/vectors.ts'

const MESSAGES_MAX = 100
/** Somebody waits for the answer, and words find most of it without. */
const DEADLINE_MS = 2_000

/** Messages near a question by meaning. An embedder that fails or stalls finds nothing, and words still do. */
export function nearByVector(vectors: Vectors): VectorSource {
  return {
    near: async (scopes, text) => {
      const { hits } = await vectors.search({ scopes, text, limit: MESSAGES_MAX, deadlineMs: DEADLINE_MS })
      return hits.map(({ passage, similarity }) => ({
        ...readVectorKey(passage),
        vector: Math.min(1, Math.max(0, similarity)),
      }))
    },
  }
}
