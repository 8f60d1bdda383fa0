import type { VectorSource } from './sources.ts'
import { readVectorKey } from './vectors/message-source.ts'
import type { VectorHits, Vectors } from './vectors/vectors.ts'

const MESSAGES_MAX = 100
/** Somebody waits for the answer, and words find most of it without: well below what a context waits for recall. */
const DEADLINE_MS = 800

/** Messages near a question by meaning. An embedder that fails or stalls finds nothing, and words still do; somebody is told. */
export function nearByVector(
  vectors: Vectors,
  waiting: VectorSource['waiting'],
  onFailure: (failure: NonNullable<VectorHits['failure']>) => void,
): VectorSource {
  return {
    waiting,
    near: async (scopes, text) => {
      const { hits, failure } = await vectors.search({ scopes, text, limit: MESSAGES_MAX, deadlineMs: DEADLINE_MS })
      if (failure !== undefined) onFailure(failure)
      return hits.map(({ passage, likeness }) => ({ ...readVectorKey(passage), vector: likeness }))
    },
  }
}
