import { defined } from '../../domain/defined.ts'
import type { Emit } from '../../api/events.ts'
import type { EmbeddingOptions } from '../../api/open-memory.ts'
import type { JobKind } from '../../jobs/job-kind.ts'
import { Spend } from '../../model/spend.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Embedder } from '../../ports/embedder.ts'
import type { Store } from '../../ports/store.ts'
import { nearByVector } from '../near-by-vector.ts'
import type { RecallWiring } from '../recall.ts'
import type { VectorSource } from '../sources.ts'
import { embedKind } from './embed-kind.ts'
import { messageSource } from './message-source.ts'
import { Vectors } from './vectors.ts'
import { waitingMessages } from './waiting-messages.ts'

export interface Embedding {
  readonly source: VectorSource
  kind(parts: () => Promise<RecallWiring>): JobKind
}

/** Finding by meaning. The first embedder embeds; the others are used for what they embedded before. */
export function embeddingOf(
  [first, ...former]: readonly [Embedder, ...Embedder[]],
  options: EmbeddingOptions,
  {
    store,
    clock,
    chance,
    emit,
  }: { readonly store: Store<'searchable'>; readonly clock: Clock; readonly chance: () => number; readonly emit: Emit },
): Embedding {
  const { batch, deadlineMs, callsPerHourMax, tokensPerHourMax } = options
  const spend = new Spend(
    {
      ...defined({ callsMax: callsPerHourMax, tokensMax: tokensPerHourMax }),
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
      ...defined({ batch, deadlineMs }),
    },
  })
  return {
    source: nearByVector(
      vectors,
      (scopes) => waitingMessages(store, scopes, first.name),
      ({ reason, detail }) => emit({ type: 'embed-fail', embedder: first.name, reason, detail }),
    ),
    kind: (parts) => embedKind({ parts, vectors, store: store.vectors, model: first.name }),
  }
}
