import type { RecallKind } from '../../api/recall.ts'
import type { RecallChanges, RecallCursor, ThreadChange } from '../../ports/recall-store.ts'
import { recallKinds } from '../../ports/recall-store.ts'
import type { Database } from './database.ts'
import { lock } from './lock.ts'
import type { RawPassage } from './passages.ts'
import { PostingList } from './posting-list.ts'
import { GonePostings } from './gone-postings.ts'
import { addPostings } from './postings.ts'
import {
  type Program,
  type ProgramStep,
  inParallel,
  all,
  allEach,
  change,
  listsEach,
  one,
  runEach,
  together,
} from './program.ts'
import { recallStatements as sql } from './recall-statements.ts'
import { readTerms, writeTerms } from './term-bytes.ts'
import { type TermKeys, countTerms } from './term-keys.ts'
import { removeVectors } from './vector-store.ts'

/** What a store knows of its terms, and what it hears of new postings. */
export interface PostingNotes {
  readonly termKeys: TermKeys | undefined
  /** With about how many segments the postings are in then, and the keys of terms that were not known. */
  posted(segments: number, shelf: number, fresh: ReadonlyMap<string, number>): void
}

/** Writes the changes of those threads whose cursors still stand where they are expected. */
export function* changeRecall(
  database: Pick<Database, 'dialect'>,
  { scope, kind, threads }: RecallChanges,
  notes: PostingNotes,
): Program<readonly boolean[]> {
  // They travel together and are answered in this order: what is read is what stands once nobody else writes.
  const [, cursors, known, forgotten] = yield* inParallel([
    lock(database, 'recall', scope),
    allEach<RecallCursor>(
      sql.cursor,
      threads.map(({ thread }) => [thread]),
    ),
    shelfKey(scope, kind),
    forgottenAmong(kind, threads),
  ])
  const written = threads.map(
    ({ thread, expected }, index) => standsAt(cursors[index]?.[0], expected) && !forgotten.has(thread),
  )
  const changes = threads.filter((_, index) => written[index])
  if (changes.length === 0) return written
  const shelf = known ?? (yield* shelfOf(scope, kind))
  const counts = new Counts()
  yield* removePassages(shelf, yield* passagesToRemove(changes), counts)
  yield* addPassages(database, changes, { shelf, counts, notes })
  yield* writePosted(shelf, scope, changes)
  yield* together([
    ...counts.steps(shelf),
    ...changes.map(({ thread, next, remove }) =>
      change(
        sql.writeThread,
        thread,
        shelf,
        next.version,
        next.seq,
        next.unfinished ?? 0,
        counts.threads.get(thread) ?? 0,
        remove.length > 0 ? 1 : 0,
      ),
    ),
  ])
  return written
}

/** A session that was forgotten meanwhile has no cursor, as one that was never posted: what was read of it must not come back. */
function* forgottenAmong(kind: RecallKind, threads: readonly ThreadChange[]): Program<ReadonlySet<number>> {
  const begun = kind === 'fact' ? [] : threads.filter(({ expected }) => expected === null)
  const found = yield* allEach(
    sql.isForgotten,
    begun.map(({ thread }) => [Math.floor(thread / 4)]),
  )
  return new Set(begun.filter((_, index) => (found[index]?.length ?? 0) > 0).map(({ thread }) => thread))
}

function standsAt(cursor: RecallCursor | undefined, expected: RecallCursor | null): boolean {
  return (
    cursor?.version === expected?.version &&
    cursor?.seq === expected?.seq &&
    (cursor?.disturbed ?? 0) === (expected?.disturbed ?? 0) &&
    (cursor?.unfinished ?? 0) === (expected?.unfinished ?? 0)
  )
}

/** The key of a shelf, which is made if it is missing. */
export function* shelfOf(scope: string, kind: RecallKind): Program<number> {
  const known = yield* shelfKey(scope, kind)
  return known ?? (yield* one<{ readonly key: number }>(sql.makeShelf, scope, recallKinds[kind]))?.key ?? 0
}

/** The key of a shelf, if there is one. */
export function* shelfKey(scope: string, kind: RecallKind): Program<number | undefined> {
  return (yield* all<{ readonly key: number }>(sql.shelf, scope, recallKinds[kind]))[0]?.key
}

function* passagesToRemove(changes: readonly ThreadChange[]): Program<Iterable<RawPassage>> {
  const inRanges = yield* listsEach<RawPassage>(
    sql.passagesIn,
    changes.flatMap(({ thread, remove }) => remove.map(({ from, through }) => [thread, from, through])),
  )
  return new Map(inRanges.flat().map((row) => [`${row[0]} ${row[1]}`, row])).values()
}

function* removePassages(shelf: number, passages: Iterable<RawPassage>, counts: Counts): Program<void> {
  const steps: ProgramStep[] = []
  for (const [thread, place, , , speaker, , , length, , terms] of passages) {
    for (const { key, impact } of readTerms(terms)) counts.lost.add(key, impact, { thread, place })
    steps.push(change(sql.removePassage, thread, place))
    counts.add(thread, speaker, -1, length)
  }
  yield* together(steps)
  yield* counts.lost.remove(shelf)
}

function* addPassages(
  database: Pick<Database, 'dialect'>,
  changes: readonly ThreadChange[],
  { shelf, counts, notes }: { readonly shelf: number; readonly counts: Counts; readonly notes: PostingNotes },
): Program<void> {
  const lists = new Map<string, PostingList>()
  for (const { thread, add } of changes)
    for (const { terms, place } of add)
      for (const { term, impact } of terms) {
        let list = lists.get(term)
        if (list === undefined) lists.set(term, (list = new PostingList()))
        list.add(impact, thread, place)
      }
  const { keys, fresh } = yield* countTerms(database, shelf, lists, notes.termKeys?.of(shelf) ?? new Map())
  const steps: ProgramStep[] = []
  for (const { thread, add } of changes)
    for (const { terms, place, reference, speaker, role, at, length, cues } of add) {
      const packed = writeTerms(terms, keys)
      const named = reference === '' ? '' : JSON.stringify(reference)
      const spoken = speaker === '' ? '""' : JSON.stringify(speaker)
      steps.push(change(sql.addPassage, thread, place, shelf, named, spoken, role, at, length, cues, packed))
      counts.add(thread, spoken, 1, length)
    }
  yield* together(steps)
  const postings = [...lists].map(([term, list]) => ({ term: keys.get(term) ?? 0, list }))
  notes.posted(yield* addPostings(shelf, postings), shelf, fresh)
}

/** What is posted again has another text: its old vector must not speak for it. */
function* writePosted(shelf: number, scope: string, changes: readonly ThreadChange[]): Program<void> {
  const unposted = changes.flatMap((each) => each.unposted)
  const again = changes.flatMap(({ remove, posted }) => (remove.length > 0 ? posted : []))
  yield* runEach(
    sql.removePosted,
    [...new Set([...unposted, ...again])].map((key) => [shelf, key]),
  )
  if (unposted.length > 0) yield* removeVectors(scope, unposted)
  yield* runEach(
    sql.addPosted,
    changes.flatMap(({ posted }) => posted.map((key) => [shelf, key])),
  )
}

/** What changes add to and take from the totals, written once at their end. */
class Counts {
  readonly lost = new GonePostings()
  readonly speakers = new Map<string, number>()
  /** Words of each. */
  readonly threads = new Map<number, number>()
  passages = 0
  words = 0

  add(thread: number, speaker: string, sign: 1 | -1, length: number): void {
    this.speakers.set(speaker, (this.speakers.get(speaker) ?? 0) + sign)
    this.threads.set(thread, (this.threads.get(thread) ?? 0) + sign * length)
    this.passages += sign
    this.words += sign * length
  }

  steps(shelf: number): readonly ProgramStep[] {
    return [
      // A word that stands nowhere any more may be what somebody wanted forgotten.
      ...this.lost.counts.flatMap(([key, count]) => [change(sql.dropTerm, count, key), change(sql.removeTerm, key)]),
      ...[...this.speakers].flatMap(([speaker, count]) =>
        speaker === '""' || count === 0
          ? []
          : [
              change(sql.countSpeaker, shelf, speaker, count),
              ...(count < 0 ? [change(sql.dropSpeaker, shelf, speaker)] : []),
            ],
      ),
      change(sql.countShelf, this.passages, this.words, shelf),
    ]
  }
}
