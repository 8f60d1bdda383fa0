import { parseTime } from '../domain/moment.ts'
import type { Store } from '../ports/store.ts'
import type { Knowledge } from '../knowledge/knowledge.ts'
import type { RecallOptions, Recalled } from '../api/recall.ts'
import type { RecallWiring, RecallRequest } from '../recall/recall.ts'
import { checkCall } from '../surface/check-call.ts'
import { recallOperations } from '../surface/recall.ts'
import type { Wiring } from './wiring.ts'

/** What recall works with. All of it is loaded at its first use: most programs that append never ask. */
export function recallWiring(
  store: Store<'searchable'>,
  knowledge: Knowledge,
  rest: Pick<RecallWiring, 'count' | 'vectors' | 'posting'>,
): () => Promise<RecallWiring> {
  let parts: Promise<RecallWiring> | undefined
  return () => {
    parts ??= load(store, knowledge, rest)
    return parts
  }
}

async function load(
  store: Store<'searchable'>,
  knowledge: Knowledge,
  rest: Pick<RecallWiring, 'count' | 'vectors' | 'posting'>,
): Promise<RecallWiring> {
  const { loadAnalyser } = await import('../recall/analyser.ts')
  const { factSource } = await import('../recall/fact-source.ts')
  const { EmbedderHint } = await import('../recall/embedder-hint.ts')
  const { PassageSpans } = await import('../recall/passage-spans.ts')
  // Loaded here, because a question that waits for posting should not wait for the program as well.
  await import('../recall/post-words.ts')
  const analyser = await loadAnalyser()
  return {
    log: store.log,
    recall: store.recall,
    analyser,
    spans: new PassageSpans(analyser),
    facts: factSource(knowledge),
    hint: new EmbedderHint(),
    stale: {
      log: store.stale.log,
      recall: store.stale.recall,
      facts: factSource({ ...knowledge, store: store.stale.knowledge }),
    },
    ...rest,
  }
}

export async function recallIn(parts: Wiring, scope: string, query: string, options: RecallOptions): Promise<Recalled> {
  checkCall(recallOperations.ask, query, options)
  const request = requestOf(parts, scope, query, options)
  parts.work.checkOpen()
  return parts.work.begin(answer(parts, request))
}

async function answer(parts: Wiring, request: RecallRequest): Promise<Recalled> {
  const { recall } = await import('../recall/recall.ts')
  const ready = await parts.recall()
  return parts.store.together(() => recall(ready, request))
}

function requestOf({ log }: Wiring, scope: string, query: string, options: RecallOptions): RecallRequest {
  const { since, until, asOf, at, ...rest } = options
  const times = Object.entries({ since, until, asOf, at }).flatMap(([name, time]) =>
    time === undefined ? [] : [[name, parseTime('recall', name, time)] as const],
  )
  return { scope, query, ...rest, ...Object.fromEntries(times), now: log.clock.now() }
}
