import type { Emit } from '../api/events.ts'
import type { EmbeddingOptions } from '../api/open-memory.ts'
import type { JobKind } from '../jobs/job-kind.ts'
import { Spend } from '../model/spend.ts'
import type { Clock } from '../ports/clock.ts'
import type { Store } from '../ports/store.ts'
import { type EmbedderInput, toEmbedder } from '../providers/embedder.ts'
import { nearByVector } from '../recall/near-by-vector.ts'
import type { RecallWiring } from '../recall/recall.ts'
import type { VectorSource } from '../recall/sources.ts'
import { embedKind } from '../recall/vectors/embed-kind.ts'
import { messageSource } from '../recall/vectors/message-source.ts'
import { Vectors } from '../recall/vectors/vectors.ts'

export interface Embedding {
  readonly source: VectorSource
  kind(parts: () => Promise<RecallWiring>): JobKind
}

/** Finding by meaning, if there is an embedder. The first one embeds; the others answer for what they embedded before. */
export function embeddingOf(
  embedder: EmbedderInput | readonly EmbedderInput[] | undefined,
  options: EmbeddingOptions,
  {
    store,
    clock,
    chance,
    emit,
  }: { readonly store: Store; readonly clock: Clock; readonly chance: () => number; readonly emit: Emit },
): Embedding | undefined {
  const [first, ...former] = (Array.isArray(embedder) ? embedder : embedder === undefined ? [] : [embedder]).map(
    toEmbedder,
  )
  if (first === undefined) return undefined
  const { batch, deadlineMs, callsPerHourMax, tokensPerHourMax } = options
  const spend = new Spend(
    {
      ...(callsPerHourMax === undefined ? {} : { callsMax: callsPerHourMax }),
      ...(tokensPerHourMax === undefined ? {} : { tokensMax: tokensPerHourMax }),
    },
    clock,
  )
  const vectors = new Vectors({
    store: store.vectors,
    source: messageSource(store.log, store.recall),
    embedders: [first, ...former],
    random: chance,
    limits: {
      spend,
      ...(batch === undefined ? {} : { batch }),
      ...(deadlineMs === undefined ? {} : { deadlineMs }),
    },
  })
  return {
    source: nearByVector(vectors, ({ reason, detail }) =>
      emit({ type: 'embed-fail', embedder: first.name, reason, detail }),
    ),
    kind: (parts) => embedKind({ parts, vectors, store: store.vectors, model: first.name }),
  }
}
