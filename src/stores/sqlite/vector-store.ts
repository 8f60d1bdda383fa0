import type { Generation, VectorBatch, VectorRow, VectorSet, VectorStore } from '../../ports/vector-store.ts'
import { vectorStatements as sql } from '../sql/vector-statements.ts'
import type { Connection } from './connection.ts'
import { patiently } from './patiently.ts'
import type { WriteQueue } from './write-queue.ts'

type SetRow = Omit<VectorSet, 'generation' | 'complete'> &
  Omit<Generation, 'key'> & { readonly generation: number; readonly complete: number }

interface StoredRow {
  readonly number: number
  readonly passage: string
  readonly bytes: Uint8Array
}

/** Vectors in an SQLite file: rows in, rows out. */
export function vectorStore(connection: Connection, queue: WriteQueue): VectorStore {
  const read = <Result>(attempt: string, run: () => Result): Promise<Result> =>
    patiently(attempt, run, (error) => connection.noticeFailure(error))
  return {
    choose: (model, dimensions) => queue.write('choose a generation', () => choose(connection, model, dimensions)),
    sets: (scopes) => read('read vector sets', () => scopes.flatMap((scope) => setsOf(connection, scope))),
    begin: async (scope, generation) => {
      // Mostly it is there, and nobody has to wait for a write.
      const found = await read('read a vector set', () => currentSet(connection, scope, generation))
      if (found !== undefined) return found
      return queue.write('begin to embed', () => {
        if (!isChosen(connection, generation)) return undefined
        connection.statement(sql.insertSet).run(scope, generation.key)
        return currentSet(connection, scope, generation)
      })
    },
    commit: (batch) => queue.write('store vectors', () => commit(connection, batch)),
    read: (set, which) =>
      read('read vectors', () =>
        ('numbers' in which
          ? which.numbers
              .toSorted((a, b) => a - b)
              .flatMap((number) => all<StoredRow>(connection, sql.vector, set, number))
          : all<StoredRow>(connection, sql.vectorsAfter, set, which.after, which.limit)
        ).map(fromRow),
      ),
    numbers: (set, { after, limit }) =>
      read('read vectors', () =>
        all<{ number: number }>(connection, sql.numbers, set, after, limit).map(({ number }) => number),
      ),
    remove: (scope, passages) => queue.write('remove vectors', () => removeVectors(connection, scope, passages)),
    retire: (set, limit) =>
      queue.write('delete vectors', () => {
        connection.statement(sql.deleteSome).run(set, set, limit)
        return connection.statement(sql.deleteSet).run(set).changes === 1
      }),
  }
}

/**
 * Takes passages out of every generation. To be called inside the transaction that takes the passages themselves away, so
 * that no vector outlives its passage.
 */
export function removeVectors(connection: Connection, scope: string, passages: readonly string[]): void {
  for (const passage of passages) connection.statement(sql.deletePassage).run(scope, passage)
  connection.statement(sql.touchScope).run(scope)
}

function choose(connection: Connection, model: string, dimensions: number | undefined): Generation | undefined {
  const chosen = one<Generation>(connection, sql.chosen)
  const wanted =
    dimensions === undefined
      ? one<Generation>(connection, sql.generationOfModel, model)
      : one<Generation>(connection, sql.generation, model, dimensions)
  const rank = (chosen?.rank ?? 0) + 1
  if (wanted === undefined)
    return dimensions === undefined
      ? undefined
      : one<Generation>(connection, sql.insertGeneration, model, dimensions, rank)
  return wanted.key === chosen?.key ? wanted : one<Generation>(connection, sql.choose, rank, wanted.key)
}

function commit(connection: Connection, { set, through, vectors, complete }: VectorBatch): boolean {
  const values = [through, vectors.length, Number(complete || set.complete), set.key, set.through, set.removals]
  const advanced = one<{ last: number }>(connection, sql.advance, ...values)
  if (advanced === undefined) return false
  let number = advanced.last - vectors.length
  let replaced = 0
  for (const {
    passage,
    values: { buffer, byteOffset, byteLength },
  } of vectors) {
    replaced += connection.statement(sql.deleteReplaced).run(set.key, passage).changes
    number += 1
    const bytes = new Uint8Array(buffer, byteOffset, byteLength)
    connection.statement(sql.insertVector).run(set.key, number, passage, bytes)
  }
  if (replaced > 0) connection.statement(sql.touch).run(set.key)
  return true
}

function isChosen(connection: Connection, { key }: Generation): boolean {
  return one<Generation>(connection, sql.chosen)?.key === key
}

function currentSet(connection: Connection, scope: string, generation: Generation): VectorSet | undefined {
  if (!isChosen(connection, generation)) return undefined
  return setsOf(connection, scope).find((set) => set.generation.key === generation.key)
}

function setsOf(connection: Connection, scope: string): readonly VectorSet[] {
  return all<SetRow>(connection, sql.setsOfScope, scope).map(
    ({ generation, model, dimensions, rank, complete, ...row }) => ({
      ...row,
      complete: complete === 1,
      generation: { key: generation, model, dimensions, rank },
    }),
  )
}

/** Copied where it does not begin at an address at which a float may begin. */
function fromRow({ number, passage, bytes }: StoredRow): VectorRow {
  const { buffer, byteOffset, byteLength } = bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes)
  return { number, passage, values: new Float32Array(buffer, byteOffset, byteLength / 4) }
}

function all<Row>(connection: Connection, statement: string, ...values: unknown[]): readonly Row[] {
  return connection.statement(statement).all(...values) as Row[]
}

function one<Row>(connection: Connection, statement: string, ...values: unknown[]): Row | undefined {
  return connection.statement(statement).get(...values) as Row | undefined
}
