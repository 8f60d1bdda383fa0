import type {
  Hit,
  NewPassage,
  PassageRange,
  PassageRow,
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
import { recallStatements as sql, recallTables } from '../sql/recall-statements.ts'
import { type TermEntry, readTerms, readWeights, writeTerms } from '../sql/term-bytes.ts'
import type { Connection } from './connection.ts'
import { patiently } from './patiently.ts'
import type { WriteQueue } from './write-queue.ts'

type StoredPassage = Omit<PassageRow, 'terms'> & { readonly terms: Uint8Array }

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

  threads(threads: readonly number[]): Promise<readonly Thread[]> {
    return this.#read('read the index', () => threads.flatMap((thread) => this.#all<Thread>(sql.thread, thread)))
  }

  change(change: RecallChange): Promise<boolean> {
    return this.#queue.write('index messages', () => {
      const cursor = this.#one<RecallCursor>(sql.thread, change.thread)
      if (cursor?.version !== change.expected?.version || cursor?.seq !== change.expected?.seq) return false
      const shelf = this.#shelf(change.scope, change.kind)
      const counts = new Counts()
      const removed = new Map<number, StoredPassage>()
      for (const { from, through } of change.remove)
        for (const row of this.#all<StoredPassage>(sql.passagesIn, change.thread, from, through)) removed.set(row.place, row)
      for (const reference of change.removeReferences)
        for (const row of this.#all<StoredPassage>(sql.passagesOfReference, change.thread, JSON.stringify(reference)))
          removed.set(row.place, row)
      for (const row of removed.values()) this.#removePassage(row, counts)
      this.#addPassages(shelf, change.thread, change.add, counts)
      this.#writeCounts(shelf, counts)
      this.#run(sql.writeThread, change.thread, shelf, change.next.version, change.next.seq, counts.words)
      return true
    })
  }

  shelf(scope: string, kind: RecallKind): Promise<number> {
    return this.#queue.write('index facts', () => this.#shelf(scope, kind))
  }

  shelves(
    scopes: readonly string[],
  ): Promise<{ readonly shelves: readonly Shelf[]; readonly speakers: readonly string[] }> {
    return this.#read('read the index', () => {
      const rows = scopes.flatMap((scope) => this.#all<Omit<Shelf, 'kind'> & { kind: number }>(sql.shelves, scope))
      const shelves = rows.map((row) => ({ ...row, kind: kindOf(row.kind) }))
      const speakers = shelves.flatMap(({ key }) =>
        this.#all<{ speaker: string }>(sql.speakers, key, SPEAKERS_MAX).map(({ speaker }) => JSON.parse(speaker) as string),
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
    return this.#read('look words up', () =>
      terms.map((key) => this.#one<{ passages: number }>(sql.frequency, key)?.passages ?? 0),
    )
  }

  hits(terms: readonly number[], limit: number): Promise<readonly Hit[]> {
    return this.#read('search the index', () => terms.flatMap((term) => this.#all<Hit>(sql.hits, term, limit)))
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

  around(
    places: readonly { readonly thread: number; readonly place: number }[],
    reach: number,
  ): Promise<readonly (readonly PassageRow[])[]> {
    return this.#read('search the index', () => {
      const stretches: PassageRow[][] = []
      for (const { thread, place } of places.toSorted((a, b) => a.thread - b.thread || a.place - b.place)) {
        let stretch = stretches.at(-1)
        const last = stretch?.at(-1)
        if (stretch === undefined || last === undefined || last.thread !== thread || last.place < place) {
          const before = this.#passages(sql.passagesBefore, thread, place, reach).toReversed()
          const joins = last?.thread === thread && before.some((row) => row.place === last.place)
          if (!joins || stretch === undefined) stretches.push((stretch = []))
          const known = joins ? (last?.place ?? -1) : -1
          stretch.push(...before.filter((row) => row.place > known))
          stretch.push(...this.#passages(sql.passagesIn, thread, place, place))
        }
        const missing = reach - stretch.filter((row) => row.place > place).length
        if (missing > 0)
          stretch.push(...this.#passages(sql.passagesAfter, thread, stretch.at(-1)?.place ?? place, missing))
      }
      return stretches
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
    return this.#all<StoredPassage>(statement, ...values).map(fromStored)
  }

  #removePassage(row: StoredPassage, counts: Counts): void {
    for (const { key, impact } of readTerms(row.terms)) {
      this.#run(sql.removePosting, key, impact, row.thread, row.place)
      counts.lost.set(key, (counts.lost.get(key) ?? 0) + 1)
    }
    this.#run(sql.removePassage, row.thread, row.place)
    counts.add(row.speaker, -1, row.length)
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
    for (const [key, count] of counts.lost) this.#run(sql.dropTerm, count, key)
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

function kindOf(number: number): RecallKind {
  return number === recallKinds.messages ? 'messages' : number === recallKinds.folds ? 'folds' : 'facts'
}

function fromStored(row: StoredPassage): PassageRow {
  return {
    ...row,
    reference: row.reference === '' ? '' : (JSON.parse(row.reference) as string),
    speaker: JSON.parse(row.speaker) as string,
    terms: readWeights(row.terms),
  }
}
