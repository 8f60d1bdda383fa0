import { checkOptions } from '../domain/check-options.ts'
import { parseTime } from '../domain/moment.ts'
import { refuse } from '../domain/refuse.ts'
import type { Store } from '../ports/store.ts'
import type { Knowledge } from '../knowledge/knowledge.ts'
import type { RecallOptions, RecallWiring, RecallRequest } from '../recall/recall.ts'
import type { Recalled } from '../recall/result.ts'
import { checkCount, checkFlag } from './check-arguments.ts'
import type { Wiring } from './wiring.ts'

const kinds = ['messages', 'folds', 'facts'] as const
const names = [
  'limit',
  'budget',
  'kinds',
  'since',
  'until',
  'asOf',
  'at',
  'includeQuarantined',
  'ancestors',
  'neighbours',
  'explain',
  'stale',
]

/** What recall works with. All of it is loaded at its first use: most programs that append never ask. */
export function recallWiring(
  store: Store,
  knowledge: Knowledge,
  rest: Pick<RecallWiring, 'count' | 'vectors'>,
): () => Promise<RecallWiring> {
  let parts: Promise<RecallWiring> | undefined
  return () => {
    parts ??= load(store, knowledge, rest)
    return parts
  }
}

async function load(
  store: Store,
  knowledge: Knowledge,
  rest: Pick<RecallWiring, 'count' | 'vectors'>,
): Promise<RecallWiring> {
  const { loadAnalyser } = await import('../recall/analyser.ts')
  const { factSource } = await import('../recall/fact-source.ts')
  return {
    log: store.log,
    recall: store.recall,
    analyser: await loadAnalyser(),
    facts: factSource(knowledge),
    stale: {
      log: store.stale.log,
      recall: store.stale.recall,
      facts: factSource({ ...knowledge, store: store.stale.knowledge }),
    },
    ...rest,
  }
}

export async function recallIn(parts: Wiring, scope: string, query: string, options: RecallOptions): Promise<Recalled> {
  const request = checked(parts, scope, query, options)
  parts.work.checkOpen()
  return parts.work.begin(answer(parts, request))
}

async function answer(parts: Wiring, request: RecallRequest): Promise<Recalled> {
  const { recall } = await import('../recall/recall.ts')
  const ready = await parts.recall()
  return parts.store.together(() => recall(ready, request))
}

function checked({ log }: Wiring, scope: string, query: unknown, options: RecallOptions): RecallRequest {
  if (typeof query !== 'string') refuse('recall', 'query', query, 'a string')
  checkOptions('recall', options, names)
  const { limit, budget, since, until, asOf, at, ...rest } = options
  if (limit !== undefined) checkCount('recall', 'limit', limit)
  if (budget !== undefined) checkCount('recall', 'budget', budget)
  if (rest.kinds !== undefined) checkKinds('recall', 'kinds', rest.kinds)
  for (const flag of ['includeQuarantined', 'ancestors', 'neighbours', 'explain', 'stale'] as const)
    if (rest[flag] !== undefined) checkFlag('recall', flag, rest[flag])
  return {
    scope,
    query,
    ...rest,
    ...(limit === undefined ? {} : { limit }),
    ...(budget === undefined ? {} : { budget }),
    ...(since === undefined ? {} : { since: parseTime('recall', 'since', since) }),
    ...(until === undefined ? {} : { until: parseTime('recall', 'until', until) }),
    ...(asOf === undefined ? {} : { asOf: parseTime('recall', 'asOf', asOf) }),
    ...(at === undefined ? {} : { at: parseTime('recall', 'at', at) }),
    now: log.clock.now(),
  }
}

export function checkKinds(attempt: string, option: string, value: unknown): void {
  const known: readonly unknown[] = kinds
  if (!Array.isArray(value) || value.some((kind) => !known.includes(kind)))
    refuse(attempt, option, value, `an array of ${kinds.join(', ')}`)
}
