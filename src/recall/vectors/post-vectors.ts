import type { Generation, NewVector, VectorSet, VectorStore } from '../../ports/vector-store.ts'
import type { Embedder } from '../../ports/embedder.ts'
import { type EmbedFailure, embedTexts } from './embed-texts.ts'
import type { EmbedSettings } from './embed-settings.ts'
import type { EmbeddableText, PassageSource } from './passage-source.ts'

/** Deleted at a time: the file is held for a few milliseconds, not for seconds. */
const ROWS_RETIRED_AT_A_TIME = 500

export interface PostRun {
  readonly store: VectorStore
  readonly source: PassageSource
  readonly embedder: Embedder
  readonly generation: Generation
  readonly settings: EmbedSettings
  /** Passages a call. */
  readonly batch: number
  /** Told when a set is deleted. */
  readonly onRetired: (set: number) => void
}

export interface PostReport {
  /** Vectors stored. */
  readonly stored: number
  /** Passages that have no vector because the embedder has none for them. Words find them all the same. */
  readonly skipped: number
  /** Why not everything was done. Whatever was stored stays stored, and the next run goes on from there. */
  readonly failure?: { readonly reason: EmbedFailure | 'superseded'; readonly detail: string }
}

/**
 * Embeds what a scope has and its set does not, in order, a batch a transaction: how far it got is stored with the vectors
 * themselves, so that a crash repeats at most one call and stores nothing twice. Then the older generations go.
 */
export async function postVectors(run: PostRun, scope: string): Promise<PostReport> {
  const { store, source, generation, batch } = run
  let stored = 0
  let skipped = 0
  for (;;) {
    const set = await store.begin(scope, generation)
    if (set === undefined) {
      const detail = `another embedder than ${generation.model} was chosen meanwhile`
      return { stored, skipped, failure: { reason: 'superseded', detail } }
    }
    const passages = await source.passages(scope, { after: set.through, limit: batch })
    const last = passages.at(-1)
    if (last === undefined) {
      if (!set.complete && !(await store.commit({ set, through: set.through, vectors: [], complete: true }))) continue
      await retireOlder(run, scope, set)
      return { stored, skipped }
    }
    const missing = await withoutVector(store, set, passages)
    const answer = await embedPassages(run, missing)
    if ('failure' in answer) return { stored, skipped, failure: answer.failure }
    // No longer ours: somebody else stored it, or a passage among them may be gone. Read again.
    if (!(await store.commit({ set, through: last.position, vectors: answer.vectors, complete: false }))) continue
    stored += answer.vectors.length
    skipped += missing.length - answer.vectors.length
  }
}

/** An index that is rebuilt posts every message again. Its vector is there already, and an embedder may cost money. */
async function withoutVector(
  store: VectorStore,
  set: VectorSet,
  passages: readonly EmbeddableText[],
): Promise<readonly EmbeddableText[]> {
  const originals = passages.filter(({ isOriginal }) => isOriginal)
  if (set.last === 0 || originals.length === 0) return passages
  const stored = await store.stored(
    set,
    originals.map(({ key }) => key),
  )
  return passages.filter(({ key, isOriginal }) => !isOriginal || !stored.has(key))
}

async function embedPassages(
  { embedder, generation, settings }: PostRun,
  passages: readonly EmbeddableText[],
): Promise<{ readonly vectors: readonly NewVector[] } | { readonly failure: NonNullable<PostReport['failure']> }> {
  const worded = passages.filter(({ text }) => text.trim() !== '')
  if (worded.length === 0) return { vectors: [] }
  const texts = worded.map(({ text }) => text)
  const answer = await embedTexts(embedder, texts, generation.dimensions, settings)
  if (!answer.ok) return { failure: { reason: answer.reason, detail: answer.detail } }
  const vectors = worded.flatMap(({ key }, index): NewVector[] => {
    const values = answer.vectors[index]
    return values == null ? [] : [{ passage: key, values }]
  })
  return { vectors }
}

/** Only now: until the new generation had everything, the old one was what searches used. */
async function retireOlder({ store, onRetired }: PostRun, scope: string, current: VectorSet): Promise<void> {
  for (const set of await store.sets([scope])) {
    if (set.generation.rank >= current.generation.rank) continue
    onRetired(set.key)
    while (!(await store.retire(set, ROWS_RETIRED_AT_A_TIME)));
  }
}
