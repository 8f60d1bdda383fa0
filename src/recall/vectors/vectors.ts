import { defined } from '../../domain/defined.ts'
import type { Embedder } from '../../ports/embedder.ts'
import type { Generation, VectorSet, VectorStore } from '../../ports/vector-store.ts'
import { estimator } from '../../tokens/estimate.ts'
import { type EmbedFailure, embedTexts } from './embed-texts.ts'
import type { EmbedSpend, EmbedSettings } from './embed-settings.ts'
import { openKernel } from './kernel/kernel.ts'
import type { PassageSource } from './passage-source.ts'
import { type PostReport, postVectors } from './post-vectors.ts'
import { Residents } from './residents.ts'
import { servingSet } from './serving-set.ts'
import { type Centre, SetCentres } from './set-centres.ts'
import { similarity } from './similarity.ts'

const BATCH = 64
const DEADLINE_MS = 30_000
const ATTEMPTS_MAX = 4
const BYTES_MAX = 256 * 1024 * 1024
const SCOPES_PER_PAGE = 100
/** So many times more are looked up than are wanted, and then compared exactly. */
const CANDIDATES_FACTOR = 4
const CANDIDATES_MIN = 32
/** What a model that never told its dimensions is asked first. */
const PROBE = 'daybook'

export interface VectorLimits {
  /** Passages a call. @default 64 */
  readonly batch?: number
  /** For each call while posting. @default 30,000 */
  readonly deadlineMs?: number
  /** Memory for quantised vectors, in bytes; 256 MiB hold 690,000 of 384 dimensions. @default 256 MiB */
  readonly bytesMax?: number
  /** What embedding may cost. @default no limit */
  readonly spend?: EmbedSpend
}

export interface VectorWiring {
  readonly store: VectorStore
  readonly source: PassageSource
  /** The first embeds; the others only help to ask sets of their generation, until the first has made its own. */
  readonly embedders: readonly [Embedder, ...Embedder[]]
  readonly random: () => number
  readonly limits?: VectorLimits
  /** @default a timer */
  readonly sleep?: EmbedSettings['sleep']
}

export interface VectorQuery {
  /** From the scope itself up to its first ancestor: nothing else is searched. */
  readonly scopes: readonly string[]
  readonly text: string
  readonly limit: number
  readonly deadlineMs: number
  readonly signal?: AbortSignal
}

export interface VectorHit {
  readonly scope: string
  readonly passage: string
  /** The cosine: 1 is the same direction. */
  readonly similarity: number
  /**
   * How much nearer it is than the rest of its scope, from 0 to 1. Many models place all texts in one corner, where every cosine
   * is above 0.8: what counts is what a text has beyond that.
   */
  readonly likeness: number
}

/** Never an error because of an embedder: what it did not answer is not found by vectors, and `failure` says why. */
export interface VectorHits {
  readonly hits: readonly VectorHit[]
  readonly failure?: { readonly reason: EmbedFailure; readonly detail: string }
}

/** Finds passages by meaning, and keeps the vectors for it. */
export class Vectors {
  readonly #parts: VectorWiring
  readonly #residents: Residents
  readonly #centres: SetCentres
  readonly #tokenizer = estimator()
  #generation: Generation | 'unknown' | undefined
  #posting: Promise<unknown> = Promise.resolve()

  constructor(parts: VectorWiring) {
    this.#parts = parts
    this.#centres = new SetCentres(parts.store)
    this.#residents = new Residents(parts.store, openKernel(), parts.limits?.bytesMax ?? BYTES_MAX)
  }

  /** Embeds what has no vector yet, in these scopes or in all: work for the background. One run at a time. */
  post(options: { readonly scopes?: readonly string[]; readonly signal?: AbortSignal } = {}): Promise<PostReport> {
    const run = this.#posting.then(() => this.#post(options.scopes, options.signal ?? new AbortController().signal))
    this.#posting = run.catch(() => undefined)
    return run
  }

  /** The nearest passages, best first. */
  async search(query: VectorQuery): Promise<VectorHits> {
    const { scopes, text, limit } = query
    if (text.trim() === '') return { hits: [] }
    const byModel = new Map(this.#parts.embedders.map((embedder) => [embedder.name, embedder]))
    const found = await this.#parts.store.sets(scopes)
    const sets = scopes.flatMap((scope) => {
      const serving = servingSet(
        found.filter((set) => set.scope === scope),
        new Set(byModel.keys()),
      )
      return serving === undefined ? [] : [serving]
    })
    const hits: VectorHit[] = []
    let failure: VectorHits['failure']
    for (const generation of new Map(sets.map((set) => [set.generation.key, set.generation])).values()) {
      const asked = await this.#embedQuery(byModel.get(generation.model), generation, query)
      if ('reason' in asked) failure = asked
      else
        for (const set of sets.filter((one) => one.generation.key === generation.key))
          hits.push(...(await this.#nearest(set, asked.vector, limit)))
    }
    const best = hits.toSorted((a, b) => b.similarity - a.similarity).slice(0, limit)
    return { hits: best, ...defined({ failure }) }
  }

  /** For those who watch. */
  get resident(): Residents['size'] {
    return this.#residents.size
  }

  async #nearest(set: VectorSet, vector: Float32Array, limit: number): Promise<readonly VectorHit[]> {
    const candidates = Math.max(limit * CANDIDATES_FACTOR, CANDIDATES_MIN)
    const numbers =
      (await this.#parts.store.nearest(set, vector, candidates)) ??
      (await this.#residents.nearest(set, vector, candidates))
    const [rows, centre] = await Promise.all([this.#parts.store.read(set, { numbers }), this.#centres.of(set)])
    const all = rows
      .map(({ passage, values }) => ({ scope: set.scope, passage, similarity: similarity(vector, values) }))
      .toSorted((a, b) => b.similarity - a.similarity)
    const likenessOf = likenessBy(centre, similarity(vector, centre.mean), all[limit]?.similarity)
    return all.slice(0, limit).map((hit) => ({ ...hit, likeness: likenessOf(hit.similarity) }))
  }

  async #embedQuery(
    embedder: Embedder | undefined,
    generation: Generation,
    { text, deadlineMs, signal }: VectorQuery,
  ): Promise<{ readonly vector: Float32Array } | NonNullable<VectorHits['failure']>> {
    if (embedder === undefined) return { reason: 'failed', detail: `no embedder ${generation.model}` }
    // Somebody waits: one attempt.
    const settings = { ...this.#settings(signal ?? new AbortController().signal), deadlineMs, attemptsMax: 1 }
    const answer = await embedTexts(embedder, [text], generation.dimensions, settings)
    if (!answer.ok) return { reason: answer.reason, detail: answer.detail }
    const [vector] = answer.vectors
    return vector == null ? { reason: 'refused', detail: 'no vector for this text' } : { vector }
  }

  async #post(scopes: readonly string[] | undefined, signal: AbortSignal): Promise<PostReport> {
    const settings = this.#settings(signal)
    const chosen = await this.#choose(settings)
    if ('reason' in chosen) return { stored: 0, skipped: 0, failure: chosen }
    const { store, source, embedders } = this.#parts
    const batch = this.#parts.limits?.batch ?? BATCH
    const onRetired = (set: number): void => this.#residents.drop(set)
    const run = { store, source, embedder: embedders[0], generation: chosen, settings, batch, onRetired }
    let [stored, skipped] = [0, 0]
    for await (const scope of scopes ?? this.#scopes()) {
      const report = await postVectors(run, scope)
      stored += report.stored
      skipped += report.skipped
      if (report.failure === undefined) continue
      // Every answer, down to single texts, was of another length: a model that changed under its name is another model.
      if (report.failure.reason === 'wrong-dimensions') this.#generation = 'unknown'
      return { stored, skipped, failure: report.failure }
    }
    return { stored, skipped }
  }

  /** The generation of the first embedder. Chosen once: whoever opens a memory after this one has the last word. */
  async #choose(settings: EmbedSettings): Promise<Generation | NonNullable<PostReport['failure']>> {
    if (typeof this.#generation === 'object') return this.#generation
    const { store, embedders } = this.#parts
    const [embedder] = embedders
    const changed = this.#generation === 'unknown' && embedder.dimensions === undefined
    let generation = changed ? undefined : await store.choose(embedder.name, embedder.dimensions)
    if (generation === undefined) {
      const probe = await embedTexts(embedder, [PROBE], undefined, settings)
      if (!probe.ok) return { reason: probe.reason, detail: probe.detail }
      generation = await store.choose(embedder.name, probe.dimensions)
    }
    this.#generation = generation
    return generation ?? { reason: 'failed', detail: 'the store made no generation' }
  }

  async *#scopes(): AsyncGenerator<string> {
    for (let after: string | undefined; ;) {
      const page = await this.#parts.source.scopes({ after, limit: SCOPES_PER_PAGE })
      yield* page
      after = page.at(-1)
      if (after === undefined || page.length < SCOPES_PER_PAGE) return
    }
  }

  #settings(signal: AbortSignal): EmbedSettings {
    const { limits = {}, random, sleep = pause } = this.#parts
    return {
      deadlineMs: limits.deadlineMs ?? DEADLINE_MS,
      attemptsMax: ATTEMPTS_MAX,
      signal,
      spend: limits.spend ?? unlimited,
      countTokens: (text) => this.#tokenizer.count(text),
      random,
      sleep,
    }
  }
}

/**
 * Likeness is counted from the mean of the scope, or from the first that was not returned, so that the last hit is not far above
 * what is no hit. In a small scope the mean of all others is taken: one message is not compared with itself.
 */
function likenessBy(
  { count, isWhole }: Centre,
  mean: number,
  next: number | undefined,
): (similarity: number) => number {
  return (own) => {
    const others = !isWhole ? mean : count <= 1 ? 0 : (mean * count - own) / (count - 1)
    const from = Math.max(others, next ?? -1)
    return from >= 1 ? 0 : Math.min(1, Math.max(0, (own - from) / (1 - from)))
  }
}

const unlimited: EmbedSpend = { take: () => true, settle: () => undefined }

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done, { once: true })
    if (signal.aborted) done()
  })
}
