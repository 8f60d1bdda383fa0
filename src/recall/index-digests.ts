import { hash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { RecallKind } from '../api/recall.ts'
import type { IndexTable, IntegrityStore } from '../ports/integrity-store.ts'
import { recallKinds } from '../ports/recall-store.ts'
import { indexOf } from './place.ts'

const MODULUS = 2n ** 128n
const kinds = Object.keys(recallKinds) as readonly RecallKind[]

/** A digest of each part of a scope's index: the same for the same rows, in whatever order they were written. */
export type IndexDigests = ReadonlyMap<string, bigint>

/**
 * Reads the index of a scope and adds up the digests of its rows. Numbers that only this database has, such as the keys of terms,
 * are replaced by what they stand for.
 */
export async function indexDigests(store: Pick<IntegrityStore, 'index'>, scope: string): Promise<IndexDigests> {
  const digests = new Map<string, bigint>()
  const read = reader(store, scope)
  for await (const [key, kind, passages, words] of read('shelves', scope, '')) {
    const name = kinds[Number(kind)] ?? String(kind)
    const sum = new Sums(digests, name as RecallKind)
    if (Number(passages) !== 0 || Number(words) !== 0) sum.add('shelf', [passages, words])
    await addShelf(read, Number(key), sum)
  }
  return digests
}

type Read = (table: IndexTable, owner: unknown, ...first: readonly unknown[]) => AsyncGenerator<readonly unknown[]>

function reader({ index }: Pick<IntegrityStore, 'index'>, scope: string): Read {
  return async function* (table, owner, ...first) {
    // Numbers of rows begin at 1, places at 0.
    let after = first.length === 1 && first[0] === '' && table !== 'terms' && table !== 'speakers' ? [-1] : first
    for (;;) {
      const [page] = await index(scope, table, [[owner, ...after]])
      if (page === undefined) return
      yield* page.rows
      if (!page.more) return
      after = table === 'postings' ? [...(page.rows.at(-1) ?? [])] : [page.rows.at(-1)?.[0]]
      await setImmediate()
    }
  }
}

async function addShelf(read: Read, shelf: number, sum: Sums): Promise<void> {
  const terms = new Map<number, string>()
  for await (const [term, key, passages] of read('terms', shelf, '')) {
    terms.set(Number(key), String(term))
    if (Number(passages) !== 0) sum.add('terms', [term, passages])
  }
  for await (const [speaker, passages] of read('speakers', shelf, ''))
    if (Number(passages) !== 0) sum.add('speakers', [speaker, passages])
  for await (const [, passage] of read('posted', shelf, '')) sum.add('posted', [passage])
  const names = new Map<string, string>()
  for await (const [thread, version, seq, words] of read('threads', shelf, '')) {
    // How far folds and facts are posted depends on when that was done.
    sum.add('threads', sum.kind === 'message' ? [thread, version, seq, words] : [words])
    for await (const row of read('passages', thread, '')) addPassage(row, { thread, shelf, terms, names }, sum)
  }
  for (const key of terms.keys())
    for await (const [impact, thread, place] of read('postings', key, -1, -1, -1))
      sum.add('postings', [terms.get(key), impact, names.get(`${String(thread)} ${String(place)}`) ?? 'no passage'])
}

interface Known {
  readonly thread: unknown
  readonly shelf: number
  readonly terms: ReadonlyMap<number, string>
  /** What the places of passages stand for. */
  readonly names: Map<string, string>
}

function addPassage(row: readonly unknown[], { thread, shelf, terms, names }: Known, sum: Sums): void {
  const [place, own, reference, speaker, role, at, length, cues, bytes] = row
  // Facts are numbered in the order in which they were posted.
  const name =
    sum.kind === 'fact' ? `${String(reference)} ${indexOf(Number(place))}` : `${String(thread)} ${String(place)}`
  names.set(`${String(thread)} ${String(place)}`, name)
  const pairs = pairsOf(bytes as Uint8Array)
  const words = pairs.map(([key, packed]) => [terms.get(key) ?? 'no term', packed])
  sum.add('passages', [name, own === shelf, reference, speaker, role, at, length, cues, words])
}

function pairsOf(bytes: Uint8Array): readonly (readonly [number, number])[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Array.from({ length: Math.floor(buffer.length / 8) }, (_, nth) => [
    buffer.readUInt32LE(nth * 8),
    buffer.readUInt32LE(nth * 8 + 4),
  ])
}

class Sums {
  readonly kind: RecallKind
  readonly #digests: Map<string, bigint>

  constructor(digests: Map<string, bigint>, kind: RecallKind) {
    this.#digests = digests
    this.kind = kind
  }

  add(part: string, row: readonly unknown[]): void {
    const name = `${part} of ${this.kind}s`
    const digest = hash('sha256', JSON.stringify(row), 'hex').slice(0, 32)
    this.#digests.set(name, ((this.#digests.get(name) ?? 0n) + BigInt(`0x${digest}`)) % MODULUS)
  }
}
