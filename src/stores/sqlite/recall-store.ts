import type {
  Hit,
  NewPassage,
  PassageRange,
  PassageRow,
  Reach,
  RecallChange,
  RecallCursor,
  RecallKind,
  RecallStore,
  Shelf,
  Term,
  Thread,
  TimeRange,
} from '../../ports/recall-store.ts'
import { recallKinds } from '../../ports/recall-store.ts'
import { KEYS_PER_READ, recallStatements as sql, recallTables } from '../sql/recall-statements.ts'
import { type TermEntry, readPairs, readTerms, writeTerms } from '../sql/term-bytes.ts'
import type { Connection } from './connection.ts'
import { patiently } from './patiently.ts'
import { removeVectors } from './vector-store.ts'
import type { WriteQueue } from './write-queue.ts'

/** The columns in the order of the statements. */
type RawPassage = [
  thread: number,
  place: number,
  shelf: number,
  reference: string,
  speaker: string,
  role: number,
  at: number,
  length: number,
  cues: number,
  terms: Uint8Array,
]

type Place = { readonly thread: number; readonly place: number }

/** Names that a question may mention; a scope with more speakers than that is not a conversation. */
const SPEAKERS_MAX = 1_000

/** The word index in an SQLite file. */
export class SqliteRecallStore implements RecallStore {
  readonly #connection: Connection
  readonly #queue: WriteQueue

  constructor(connection: Connection, queue: WriteQueue) {
    this.#connection = connection
    this.#queue = queue
  }

  behind(scope: string, limit: number): Promise<readonly { readonly key: number; readonly session: string }[]> {
    return this.#read('find what to index', () => this.#all(sql.behind, scope, limit))
  }

  forks(scope: string, session: number): Promise<readonly string[]> {
    return this.#read('find what to index', () =>
      this.#all<{ session: string }>(sql.forks, scope, session).map(({ session: name }) => name),
    )
  }

  threads(threads: readonly number[]): Promise<readonly Thread[]> {
    return this.#read('read the index', () => {
      const [first = 0] = threads
      if (threads.length <= 1) return threads.length === 0 ? [] : this.#all<Thread>(sql.thread, first)
      return batches(threads).flatMap((keys) => this.#all<Thread>(sql.threads, ...keys))
    })
  }

  change(change: RecallChange): Promise<boolean> {
    return this.#queue.write('index messages', () => {
      const cursor = this.#one<RecallCursor>(sql.thread, change.thread)
      if (cursor?.version !== change.expected?.version || cursor?.seq !== change.expected?.seq) return false
      const shelf = this.#shelf(change.scope, change.kind)
      const counts = new Counts()
      const removed = new Map<number, RawPassage>()
      for (const { from, through } of change.remove)
        for (const row of this.#raw<RawPassage>(sql.passagesIn, change.thread, from, through)) removed.set(row[1], row)
      for (const reference of change.removeReferences)
        for (const row of this.#raw<RawPassage>(sql.passagesOfReference, change.thread, JSON.stringify(reference)))
          removed.set(row[1], row)
      for (const row of removed.values()) this.#removePassage(row, counts)
      this.#addPassages(shelf, change.thread, change.add, counts)
      // What is posted again has another text: its old vector must not speak for it.
      const gone = [...new Set([...change.unposted, ...change.posted])]
      for (const key of gone) this.#run(sql.removePosted, shelf, key)
      if (change.unposted.length > 0) removeVectors(this.#connection, change.scope, change.unposted)
      for (const key of change.posted) this.#run(sql.addPosted, shelf, key)
      this.#writeCounts(shelf, counts)
      this.#run(sql.writeThread, change.thread, shelf, change.next.version, change.next.seq, counts.words)
      return true
    })
  }

  async shelf(scope: string, kind: RecallKind): Promise<number> {
    // Mostly it is there, and nobody has to wait for a write.
    const known = await this.#read('read the index', () =>
      this.#one<{ key: number }>(sql.shelf, scope, recallKinds[kind]),
    )
    return known?.key ?? this.#queue.write('index facts', () => this.#shelf(scope, kind))
  }

  shelves(
    scopes: readonly string[],
  ): Promise<{ readonly shelves: readonly Shelf[]; readonly speakers: readonly string[] }> {
    return this.#read('read the index', () => {
      const rows = scopes.flatMap((scope) => this.#all<Omit<Shelf, 'kind'> & { kind: number }>(sql.shelves, scope))
      const shelves = rows.map((row) => ({ ...row, kind: kindOf(row.kind) }))
      const speakers = shelves.flatMap(({ key }) =>
        this.#all<{ speaker: string }>(sql.speakers, key, SPEAKERS_MAX).map(
          ({ speaker }) => JSON.parse(speaker) as string,
        ),
      )
      return { shelves, speakers: [...new Set(speakers)] }
    })
  }

  terms(shelves: readonly number[], terms: readonly string[]): Promise<readonly Term[]> {
    return this.#read('look words up', () =>
      terms.flatMap((term) =>
        shelves.flatMap((shelf) => {
          const row = this.#one<Omit<Term, 'term'>>(sql.term, shelf, JSON.stringify(term))
          return row === undefined ? [] : [{ ...row, term }]
        }),
      ),
    )
  }

  frequencies(terms: readonly number[]): Promise<readonly number[]> {
    return this.#read('look words up', () => {
      const found = new Map<number, number>()
      for (const keys of batches(terms))
        for (const [key, passages] of this.#raw<[number, number]>(sql.frequencies, ...keys)) found.set(key, passages)
      return terms.map((key) => found.get(key) ?? 0)
    })
  }

  hits(terms: readonly number[], limit: number): Promise<readonly Hit[]> {
    return this.#read('search the index', () =>
      terms.flatMap((term) =>
        this.#raw<[impact: number, thread: number, place: number]>(sql.hits, term, limit).map(
          ([impact, thread, place]) => ({ term, impact, thread, place }),
        ),
      ),
    )
  }

  passages(
    of: PassageRange | TimeRange | { readonly thread: number; readonly reference: string },
  ): Promise<readonly PassageRow[]> {
    return this.#read('search the index', () => {
      if ('reference' in of) return this.#passages(sql.passagesOfReference, of.thread, JSON.stringify(of.reference))
      if ('shelf' in of) return this.#passages(sql.passagesDuring, of.shelf, of.from, of.to, of.limit)
      return this.#passages(sql.passagesIn, of.thread, of.from, of.through)
    })
  }

  around(places: readonly Place[], reach: Reach): Promise<readonly (readonly PassageRow[])[]> {
    return this.#read('search the index', () =>
      clusters(places, reach.distance * 2).flatMap((cluster) => this.#stretches(cluster, reach)),
    )
  }

  scopes({ after, limit }: { readonly after: string; readonly limit: number }): Promise<readonly string[]> {
    return this.#read('list indexed scopes', () =>
      this.#all<{ scope: string }>(sql.scopes, after, recallKinds.messages, limit).map(({ scope }) => scope),
    )
  }

  posted(
    scope: string,
    { after, limit }: { readonly after: number; readonly limit: number },
  ): Promise<readonly { readonly number: number; readonly key: string }[]> {
    return this.#read('read what was indexed', () => {
      const shelf = this.#one<{ key: number }>(sql.shelf, scope, recallKinds.messages)
      return shelf === undefined ? [] : this.#all(sql.posted, shelf.key, after, limit)
    })
  }

  clear(): Promise<void> {
    return this.#queue.write('clear the index', () => {
      for (const statement of recallTables) this.#run(statement)
    })
  }

  #shelf(scope: string, kind: RecallKind): number {
    const known = this.#one<{ key: number }>(sql.shelf, scope, recallKinds[kind])
    return (known ?? this.#one<{ key: number }>(sql.makeShelf, scope, recallKinds[kind]))?.key ?? 0
  }

  #passages(statement: string, ...values: unknown[]): readonly PassageRow[] {
    return this.#raw<RawPassage>(statement, ...values).map(fromRaw)
  }

  /** One read for all of a cluster, unless long messages lie between its places: then around each by itself. */
  #stretches(cluster: readonly Place[], { passages, distance }: Reach): readonly (readonly PassageRow[])[] {
    const [first, last] = [cluster[0], cluster.at(-1)]
    if (first === undefined || last === undefined) return []
    const limit = (passages * 2 + 1) * (cluster.length + 1)
    const from = first.place - distance
    const rows = this.#passages(sql.passagesFrom, first.thread, from, last.place + distance, limit)
    if (rows.length < limit) return [rows]
    const found = new Map<number, PassageRow>()
    const stretches: PassageRow[][] = []
    for (const { thread, place } of cluster) {
      const before = this.#passages(sql.passagesBefore, thread, place, passages).toReversed()
      const after = this.#passages(sql.passagesAfter, thread, place - 1, passages + 1)
      const around = [...before, ...after]
      if (!around.some((row) => found.has(row.place))) stretches.push([])
      for (const row of around) if (!found.has(row.place)) stretches.at(-1)?.push(row)
      for (const row of around) found.set(row.place, row)
    }
    return stretches
  }

  #removePassage([thread, place, , , speaker, , , length, , terms]: RawPassage, counts: Counts): void {
    for (const { key, impact } of readTerms(terms)) {
      this.#run(sql.removePosting, key, impact, thread, place)
      counts.lost.set(key, (counts.lost.get(key) ?? 0) + 1)
    }
    this.#run(sql.removePassage, thread, place)
    counts.add(speaker, -1, length)
  }

  #addPassages(shelf: number, thread: number, passages: readonly NewPassage[], counts: Counts): void {
    const found = new Map<string, number>()
    for (const { terms } of passages) for (const { term } of terms) found.set(term, (found.get(term) ?? 0) + 1)
    const keys = new Map<string, number>()
    for (const [term, count] of found)
      keys.set(term, this.#one<{ key: number }>(sql.countTerm, shelf, JSON.stringify(term), count)?.key ?? 0)
    const postings: (readonly [term: number, impact: number, place: number])[] = []
    for (const passage of passages) {
      const entries: TermEntry[] = passage.terms.map(({ term, weight, impact }) => ({
        key: keys.get(term) ?? 0,
        weight,
        impact,
      }))
      for (const { key, impact } of entries) postings.push([key, impact, passage.place])
      const { place, reference, speaker, role, at, length, cues } = passage
      const named = reference === '' ? '' : JSON.stringify(reference)
      const spoken = JSON.stringify(speaker)
      this.#run(sql.addPassage, thread, place, shelf, named, spoken, role, at, length, cues, writeTerms(entries))
      counts.add(spoken, 1, length)
    }
    // In the order of the table, so that neighbours land on one page while it is at hand.
    postings.sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2])
    for (const [term, impact, place] of postings) this.#run(sql.addPosting, term, impact, thread, place)
  }

  #writeCounts(shelf: number, counts: Counts): void {
    for (const [key, count] of counts.lost) {
      this.#run(sql.dropTerm, count, key)
      // A word that stands nowhere any more may be what somebody wanted forgotten.
      this.#run(sql.removeTerm, key)
    }
    for (const [speaker, count] of counts.speakers) {
      if (speaker === '""' || count === 0) continue
      this.#run(sql.countSpeaker, shelf, speaker, count)
      if (count < 0) this.#run(sql.dropSpeaker, shelf, speaker)
    }
    this.#run(sql.countShelf, counts.passages, counts.words, shelf)
  }

  #read<Result>(attempt: string, run: () => Result): Promise<Result> {
    return patiently(attempt, run, (error) => this.#connection.noticeFailure(error))
  }

  #all<Row>(statement: string, ...values: unknown[]): readonly Row[] {
    return this.#connection.statement(statement).all(...values) as Row[]
  }

  /** Rows as lists: several times faster than objects, where there are thousands. */
  #raw<Row>(statement: string, ...values: unknown[]): readonly Row[] {
    return this.#connection
      .statement(statement)
      .raw(true)
      .all(...values) as Row[]
  }

  #one<Row>(statement: string, ...values: unknown[]): Row | undefined {
    return this.#connection.statement(statement).get(...values) as Row | undefined
  }

  #run(statement: string, ...values: unknown[]): void {
    this.#connection.statement(statement).run(...values)
  }
}

/** What a change adds to and takes from the totals, written once at its end. */
class Counts {
  readonly lost = new Map<number, number>()
  readonly speakers = new Map<string, number>()
  passages = 0
  words = 0

  add(speaker: string, sign: 1 | -1, length: number): void {
    this.speakers.set(speaker, (this.speakers.get(speaker) ?? 0) + sign)
    this.passages += sign
    this.words += sign * length
  }
}

/** As many keys as one statement takes; filled up with 0, which no row has. */
function batches(keys: readonly number[]): readonly (readonly number[])[] {
  return Array.from({ length: Math.ceil(keys.length / KEYS_PER_READ) }, (_, batch) =>
    Array.from({ length: KEYS_PER_READ }, (__, index) => keys[batch * KEYS_PER_READ + index] ?? 0),
  )
}

/** Places of one thread that lie close together, in order. */
function clusters(places: readonly Place[], gap: number): readonly (readonly Place[])[] {
  const all: Place[][] = []
  for (const place of places.toSorted((a, b) => a.thread - b.thread || a.place - b.place)) {
    const last = all.at(-1)?.at(-1)
    if (last !== undefined && last.thread === place.thread && place.place - last.place <= gap) {
      if (place.place !== last.place) all.at(-1)?.push(place)
    } else all.push([place])
  }
  return all
}

function kindOf(number: number): RecallKind {
  return number === recallKinds.messages ? 'messages' : number === recallKinds.folds ? 'folds' : 'facts'
}

function fromRaw([thread, place, shelf, reference, speaker, role, at, length, cues, terms]: RawPassage): PassageRow {
  return {
    thread,
    place,
    shelf,
    reference: reference === '' ? '' : (JSON.parse(reference) as string),
    speaker: speaker === '""' ? '' : (JSON.parse(speaker) as string),
    role,
    at,
    length,
    cues,
    terms: readPairs(terms),
  }
}
