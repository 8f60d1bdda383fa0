import { defined } from '../../domain/defined.ts'
import { setImmediate } from 'node:timers/promises'
import type { FoundWork, JobKind } from '../../jobs/job-kind.ts'
import type { VectorStore } from '../../ports/vector-store.ts'
import type { RecallWiring } from '../recall.ts'
import { setOfModel } from './set-of-model.ts'
import type { Vectors } from './vectors.ts'

const EMBED = 'embed'
const QUEUE_MAX = 1_000
const ATTEMPTS_MAX = 8
const SESSIONS_PER_LOOK = 200
/** A scope is embedded as a whole. */
const SUBJECT = 'vectors'

export interface EmbedKindSettings {
  readonly parts: () => Promise<RecallWiring>
  readonly vectors: Vectors
  readonly store: VectorStore
  /** The name of the embedder that makes new vectors. */
  readonly model: string
}

/** Embedding what was said, as a kind of job: one job a scope. It brings the index of words up to date first. */
export function embedKind(settings: EmbedKindSettings): JobKind {
  return {
    name: EMBED,
    queueMax: QUEUE_MAX,
    attemptsMax: ATTEMPTS_MAX,
    find: (among, signal) =>
      findIn(settings, among === 'all' ? allScopes(settings) : among.map(({ scope }) => scope), signal),
    run: async ({ scope }, signal) => {
      await (await settings.parts()).posting.now(scope)
      const { stored, skipped, failure } = await settings.vectors.post({ scopes: [scope], signal })
      signal.throwIfAborted()
      if (failure !== undefined) throw new Error(`${failure.reason}: ${failure.detail}`)
      return { stored, skipped }
    },
  }
}

async function* findIn(
  settings: EmbedKindSettings,
  scopes: Iterable<string> | AsyncIterable<string>,
  signal: AbortSignal,
): AsyncGenerator<FoundWork> {
  const seen = new Set<string>()
  for await (const scope of scopes) {
    if (signal.aborted) return
    if (seen.has(scope)) continue
    seen.add(scope)
    const mark = await behindAt(settings, scope)
    if (mark !== undefined) yield { scope, subject: SUBJECT, mark }
  }
}

async function* allScopes({ parts }: EmbedKindSettings): AsyncGenerator<string> {
  const { log } = await parts()
  for (let before: number | undefined; ;) {
    const page = await log.sessions({ everyScope: true }, { limit: SESSIONS_PER_LOOK, ...defined({ before }) })
    for (const { scope } of page) yield scope
    before = page.at(-1)?.key
    if (page.length < SESSIONS_PER_LOOK) return
    await setImmediate()
  }
}

/** Where a scope's vectors stand, if they lag behind what was said; another number as soon as more is said. */
async function behindAt({ parts, store, model }: EmbedKindSettings, scope: string): Promise<number | undefined> {
  const { recall } = await parts()
  const [unposted] = await recall.behind(scope, 1)
  const { newest, current } = await setOfModel(store, scope, model)
  const through = current?.through ?? 0
  const [left] = await recall.posted(scope, { after: through, limit: 1 })
  if (unposted === undefined && left === undefined && (current?.complete === true || newest === undefined))
    return undefined
  return through * 2 + (unposted === undefined ? 0 : 1)
}
