import type { Embedder, EmbedRequest } from '../../../src/ports/embedder.ts'
import type { Store } from '../../../src/ports/store.ts'
import { hashEmbedder } from '../../../src/providers/hash-embedder.ts'
import type { PassageSource } from '../../../src/recall/vectors/passage-source.ts'
import { type VectorLimits, Vectors } from '../../../src/recall/vectors/vectors.ts'
import { openSqliteStore } from '../../../src/stores/sqlite/store.ts'

/** Passages in memory, as the recall index will give them. */
export class Shelf implements PassageSource {
  readonly #passages: { scope: string; key: string; text: string; position: number; isOriginal: boolean }[] = []
  #position = 0

  add(scope: string, texts: readonly string[]): void {
    for (const text of texts)
      this.#passages.push({ scope, key: `p${++this.#position}`, text, position: this.#position, isOriginal: true })
  }

  /** Gives every passage a new position, as when the index is made again. */
  postAgain(): void {
    for (const passage of this.#passages) passage.position = ++this.#position
  }

  /** Gives a passage another text. */
  revise(key: string, text: string): void {
    for (const passage of this.#passages) if (passage.key === key) Object.assign(passage, { text, isOriginal: false })
  }

  keys(scope: string): readonly string[] {
    return this.#passages.filter((passage) => passage.scope === scope).map(({ key }) => key)
  }

  take(scope: string, key: string): void {
    const index = this.#passages.findIndex((passage) => passage.scope === scope && passage.key === key)
    this.#passages.splice(index, 1)
  }

  scopes: PassageSource['scopes'] = async ({ after = '', limit }) =>
    [...new Set(this.#passages.map(({ scope }) => scope))]
      .filter((scope) => scope > after)
      .toSorted()
      .slice(0, limit)

  passages: PassageSource['passages'] = async (scope, { after, limit }) =>
    this.#passages.filter((passage) => passage.scope === scope && passage.position > after).slice(0, limit)
}

export interface Scene {
  readonly store: Store
  readonly shelf: Shelf
  readonly vectors: Vectors
  /** What was asked of the embedder, a list a call. */
  readonly calls: (readonly string[])[]
  readonly pauses: number[]
}

type Answer = (request: EmbedRequest, call: number) => unknown

/** The hashing embedder under any name, with faults on request. */
export function embedder(
  options: { name?: string; dimensions?: number | undefined; answer?: Answer; calls?: (readonly string[])[] } = {},
): Embedder {
  const plain = hashEmbedder()
  const { name = plain.name, answer, calls = [] } = options
  return {
    name,
    dimensions: 'dimensions' in options ? options.dimensions : plain.dimensions,
    async embed(request) {
      calls.push(request.texts)
      const special: unknown = await answer?.(request, calls.length)
      return special === undefined ? plain.embed(request) : ({ vectors: special } as never)
    },
  }
}

export async function scene(
  options: {
    embedders?: readonly [Embedder, ...Embedder[]]
    answer?: Answer
    limits?: VectorLimits
    store?: Store
  } = {},
): Promise<Scene> {
  const calls: (readonly string[])[] = []
  const pauses: number[] = []
  const store = options.store ?? (await openSqliteStore(':memory:', () => 0))
  const shelf = new Shelf()
  const vectors = new Vectors({
    store: store.vectors,
    source: shelf,
    embedders: options.embedders ?? [embedder({ calls, ...(options.answer && { answer: options.answer }) })],
    random: () => 1,
    sleep: async (ms) => void pauses.push(ms),
    ...(options.limits && { limits: options.limits }),
  })
  return { store, shelf, vectors, calls, pauses }
}

/** The path of a scope and its ancestors. */
export function lineageOf(scope: string): readonly string[] {
  const segments = scope.split('/')
  return segments.map((_, index) => segments.slice(0, segments.length - index).join('/'))
}

export async function find(vectors: Vectors, scope: string, text: string, limit = 5): Promise<readonly string[]> {
  const { hits, failure } = await vectors.search({ scopes: lineageOf(scope), text, limit, deadlineMs: 1_000 })
  if (failure !== undefined) throw new Error(`${failure.reason}: ${failure.detail}`)
  return hits.map(({ passage }) => passage)
}

export async function stored(store: Store, scope: string): Promise<readonly string[]> {
  const sets = await store.vectors.sets([scope])
  const rows = await Promise.all(sets.map((set) => store.vectors.read(set, { after: 0, limit: 1_000_000 })))
  return rows.flat().map(({ passage }) => passage)
}
