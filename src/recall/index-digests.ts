import { hash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { RecallKind } from '../api/recall.ts'
import type { IndexTable, IndexedTerm, IntegrityStore } from '../ports/integrity-store.ts'
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
      after = (page.rows.at(-1) ?? []).slice(0, table === 'postings' ? 2 : 1)
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
  for await (const [segment, count] of read('segments', shelf, '')) {
    const rows = new PostingRows()
    for await (const row of read('postings', segment, -1, -1))
      for (const { term, impacts, threads, places } of rows.next(row))
        for (const [nth, impact] of impacts.entries())
          sum.add('postings', [terms.get(term), impact, names.get(`${threads[nth]} ${places[nth]}`) ?? 'no passage'])
    // How postings are spread over segments depends on when they were posted; that they are in order does not.
    if (!rows.areInOrder || rows.count !== Number(count)) sum.add('segments', [segment])
  }
}

/** Checks that the rows of a segment are packed in one way, in the order of their terms, and that each row of a term has better postings than the next. */
class PostingRows {
  areInOrder = true
  count = 0
  #last = { term: -1, part: 0, lowest: 0 }

  next([first, part, highest, lowest, ...blocks]: readonly unknown[]): readonly IndexedTerm[] {
    const terms = blocks as readonly IndexedTerm[]
    const impacts = terms.flatMap((one) => one.impacts)
    const last = this.#last
    const isNext = terms[0]?.term === last.term
    const isInOrder =
      Number(part) === (isNext ? last.part + 1 : 0) &&
      (isNext ? terms.length === 1 && Number(highest) <= last.lowest : Number(first) > last.term) &&
      terms.every(({ term, isAsPacked }, nth) => isAsPacked && (nth === 0 || term > (terms[nth - 1]?.term ?? 0))) &&
      highest === impacts.reduce((most, one) => Math.max(most, one), 0) &&
      lowest === impacts.reduce((least, one) => Math.min(least, one), 255)
    if (!isInOrder) this.areInOrder = false
    this.count += impacts.length
    this.#last = { term: terms.at(-1)?.term ?? 0, part: Number(part), lowest: Number(lowest) }
    return terms
  }
}

interface Known {
  readonly thread: unknown
  readonly shelf: number
  readonly terms: ReadonlyMap<number, string>
  /** What the places of passages stand for. */
  readonly names: Map<string, string>
}

function addPassage(row: readonly unknown[], { thread, shelf, terms, names }: Known, sum: Sums): void {
  const [place, own, reference, speaker, role, at, length, cues, pairs] = row
  // Facts are numbered in the order in which they were posted.
  const name =
    sum.kind === 'fact' ? `${String(reference)} ${indexOf(Number(place))}` : `${String(thread)} ${String(place)}`
  names.set(`${String(thread)} ${String(place)}`, name)
  // They are stored in the order of their keys, which are this database's own.
  const words = wordsOf(pairs as Uint32Array, terms).toSorted()
  sum.add('passages', [name, own === shelf, reference, speaker, role, at, length, cues, words])
}

function wordsOf(pairs: Uint32Array, terms: ReadonlyMap<number, string>): readonly string[] {
  return Array.from(
    { length: pairs.length / 2 },
    (_, nth) => `${terms.get(pairs[nth * 2] ?? 0) ?? 'no term'} ${pairs[nth * 2 + 1]}`,
  )
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
