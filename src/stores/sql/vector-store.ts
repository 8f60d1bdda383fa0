import type { Generation, VectorBatch, VectorRow, VectorSet, VectorStore } from '../../ports/vector-store.ts'
import type { Database } from './database.ts'
import { lock } from './lock.ts'
import { type Program, all, allEach, one, changeRows, runEach } from './program.ts'
import { vectorStatements as sql } from './vector-statements.ts'

type SetRow = Omit<VectorSet, 'generation' | 'complete'> &
  Omit<Generation, 'key'> & { readonly generation: number; readonly complete: number }

interface StoredRow {
  readonly number: number
  readonly passage: string
  readonly bytes: Uint8Array
}

/** What a database that can search vectors itself adds to their rows, in the same transactions. */
export interface VectorIndex {
  /** Its name and version. */
  readonly name: string
  /** Makes room for a generation. Called whenever one is chosen. */
  make(generation: Generation): Program<void>
  add(set: VectorSet, rows: readonly { readonly number: number; readonly values: Float32Array }[]): Program<void>
  nearest(set: VectorSet, query: Float32Array, limit: number): Program<readonly number[] | undefined>
}

/** Vectors: rows in, rows out. */
export function vectorStore(database: Database, index?: VectorIndex): VectorStore {
  return {
    search: index?.name ?? 'process',
    choose: (model, dimensions) =>
      database.write('choose a generation', 'every scope', function* () {
        yield* lock(database, 'generations')
        const chosen = yield* choose(model, dimensions)
        if (chosen !== undefined && index !== undefined) yield* index.make(chosen)
        return chosen
      }),
    sets: (scopes) => database.read('read vector sets', scopes, () => setsOf(scopes)),
    begin: async (scope, generation) => {
      // Mostly it is there, and nobody has to wait for a write.
      const found = await database.read('read a vector set', [scope], () => currentSet(scope, generation))
      if (found !== undefined) return found
      return database.write('begin to embed', [scope], function* () {
        if (!(yield* isChosen(generation))) return undefined
        yield* changeRows(sql.insertSet, scope, generation.key)
        return yield* currentSet(scope, generation)
      })
    },
    commit: (batch) => database.write('store vectors', [batch.set.scope], () => commit(batch, index)),
    read: ({ key, scope }, which) =>
      database.read('read vectors', [scope], function* () {
        const rows =
          'numbers' in which
            ? (yield* allEach<StoredRow>(
                sql.vector,
                which.numbers.toSorted((a, b) => a - b).map((number) => [key, number]),
              )).flat()
            : yield* all<StoredRow>(sql.vectorsAfter, key, which.after, which.limit)
        return rows.map(fromRow)
      }),
    nearest: async (set, query, limit) =>
      index === undefined
        ? undefined
        : database.read('search vectors', [set.scope], () => index.nearest(set, query, limit)),
    stored: ({ key, scope }, passages) =>
      database.read('read vectors', [scope], function* () {
        const found = yield* allEach<Pick<StoredRow, 'passage'>>(
          sql.hasVector,
          passages.map((passage) => [key, passage]),
        )
        return new Set(found.flat().map(({ passage }) => passage))
      }),
    numbers: ({ key, scope }, { after, limit }) =>
      database.read('read vectors', [scope], function* () {
        return (yield* all<{ readonly number: number }>(sql.numbers, key, after, limit)).map(({ number }) => number)
      }),
    remove: (scope, passages) => database.write('remove vectors', [scope], () => removeVectors(scope, passages)),
    retire: ({ key, scope }, limit) =>
      database.write('delete vectors', [scope], function* () {
        yield* changeRows(sql.deleteSome, key, key, limit)
        return (yield* changeRows(sql.deleteSet, key)) === 1
      }),
  }
}

/**
 * Takes passages out of every generation. To be run inside the transaction that takes the passages themselves away, so that
 * no vector outlives its passage. The sets come first, as where vectors are stored: no two wait for each other.
 */
export function* removeVectors(scope: string, passages: readonly string[]): Program<void> {
  yield* changeRows(sql.touchScope, scope)
  yield* runEach(
    sql.deletePassage,
    passages.map((passage) => [scope, passage]),
  )
}

function* choose(model: string, dimensions: number | undefined): Program<Generation | undefined> {
  const chosen = yield* one<Generation>(sql.chosen)
  const wanted =
    dimensions === undefined
      ? yield* one<Generation>(sql.generationOfModel, model)
      : yield* one<Generation>(sql.generation, model, dimensions)
  const rank = (chosen?.rank ?? 0) + 1
  if (wanted === undefined)
    return dimensions === undefined ? undefined : yield* one<Generation>(sql.insertGeneration, model, dimensions, rank)
  return wanted.key === chosen?.key ? wanted : yield* one<Generation>(sql.choose, rank, wanted.key)
}

function* commit({ set, through, vectors, complete }: VectorBatch, index: VectorIndex | undefined): Program<boolean> {
  const values = [through, vectors.length, Number(complete || set.complete), set.key, set.through, set.removals]
  const advanced = yield* one<{ readonly last: number }>(sql.advance, ...values)
  if (advanced === undefined) return false
  const first = advanced.last - vectors.length + 1
  const replaced = yield* runEach(
    sql.deleteReplaced,
    vectors.map(({ passage }) => [set.key, passage]),
  )
  yield* runEach(
    sql.insertVector,
    vectors.map(({ passage, values: { buffer, byteOffset, byteLength } }, at) => [
      set.key,
      first + at,
      passage,
      new Uint8Array(buffer, byteOffset, byteLength),
    ]),
  )
  if (index !== undefined)
    yield* index.add(
      set,
      vectors.map(({ values: own }, at) => ({ number: first + at, values: own })),
    )
  if (replaced > 0) yield* changeRows(sql.touch, set.key)
  return true
}

function* isChosen({ key }: Generation): Program<boolean> {
  return (yield* one<Generation>(sql.chosen))?.key === key
}

function* currentSet(scope: string, generation: Generation): Program<VectorSet | undefined> {
  if (!(yield* isChosen(generation))) return undefined
  return (yield* setsOf([scope])).find((set) => set.generation.key === generation.key)
}

function* setsOf(scopes: readonly string[]): Program<readonly VectorSet[]> {
  const found = yield* allEach<SetRow>(
    sql.setsOfScope,
    scopes.map((scope) => [scope]),
  )
  return found.flat().map(({ generation, model, dimensions, rank, complete, ...row }) => ({
    ...row,
    complete: complete === 1,
    generation: { key: generation, model, dimensions, rank },
  }))
}

/** Copied where it does not begin at an address at which a float may begin. */
function fromRow({ number, passage, bytes }: StoredRow): VectorRow {
  const { buffer, byteOffset, byteLength } = bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes)
  return { number, passage, values: new Float32Array(buffer, byteOffset, byteLength / 4) }
}
