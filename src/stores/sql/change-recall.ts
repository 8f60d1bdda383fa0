import type { NewPassage, RecallChange, RecallCursor, RecallKind } from '../../ports/recall-store.ts'
import { recallKinds } from '../../ports/recall-store.ts'
import type { RawPassage } from './passages.ts'
import { type Program, type Step, all, allEach, change, listsEach, one, runEach, together } from './program.ts'
import { recallStatements as sql } from './recall-statements.ts'
import { type TermEntry, readTerms, writeTerms } from './term-bytes.ts'
import { removeVectors } from './vector-store.ts'

/** Writes a change of one thread if its cursor still stands where the change expects it. */
export function* changeRecall(wanted: RecallChange): Program<boolean> {
  const { thread, expected, next } = wanted
  const cursor = yield* one<RecallCursor>(sql.thread, thread)
  if (cursor?.version !== expected?.version || cursor?.seq !== expected?.seq) return false
  if ((cursor?.disturbed ?? 0) !== (expected?.disturbed ?? 0)) return false
  const shelf = yield* shelfOf(wanted.scope, wanted.kind)
  const counts = new Counts()
  yield* removePassages(yield* passagesToRemove(wanted), counts)
  yield* addPassages(shelf, thread, wanted.add, counts)
  yield* writePosted(shelf, wanted)
  yield* together([
    ...counts.steps(shelf),
    change(sql.writeThread, thread, shelf, next.version, next.seq, counts.words),
  ])
  return true
}

/** The key of a shelf, which is made if it is missing. */
export function* shelfOf(scope: string, kind: RecallKind): Program<number> {
  const [known] = yield* all<{ readonly key: number }>(sql.shelf, scope, recallKinds[kind])
  return (known ?? (yield* one<{ readonly key: number }>(sql.makeShelf, scope, recallKinds[kind])))?.key ?? 0
}

function* passagesToRemove({ thread, remove, removeReferences }: RecallChange): Program<Iterable<RawPassage>> {
  const inRanges = yield* listsEach<RawPassage>(
    sql.passagesIn,
    remove.map(({ from, through }) => [thread, from, through]),
  )
  const ofReferences = yield* listsEach<RawPassage>(
    sql.passagesOfReference,
    removeReferences.map((reference) => [thread, JSON.stringify(reference)]),
  )
  return new Map([...inRanges, ...ofReferences].flat().map((row) => [row[1], row])).values()
}

function* removePassages(passages: Iterable<RawPassage>, counts: Counts): Program<void> {
  const steps: Step[] = []
  for (const [thread, place, , , speaker, , , length, , terms] of passages) {
    for (const { key, impact } of readTerms(terms)) {
      steps.push(change(sql.removePosting, key, impact, thread, place))
      counts.lost.set(key, (counts.lost.get(key) ?? 0) + 1)
    }
    steps.push(change(sql.removePassage, thread, place))
    counts.add(speaker, -1, length)
  }
  yield* together(steps)
}

function* addPassages(shelf: number, thread: number, passages: readonly NewPassage[], counts: Counts): Program<void> {
  const keys = yield* termKeys(shelf, passages)
  const postings: (readonly [term: number, impact: number, thread: number, place: number])[] = []
  const rows: (readonly unknown[])[] = []
  for (const passage of passages) {
    const entries: TermEntry[] = passage.terms.map(({ term, weight, impact }) => ({
      key: keys.get(term) ?? 0,
      weight,
      impact,
    }))
    for (const { key, impact } of entries) postings.push([key, impact, thread, passage.place])
    const { place, reference, speaker, role, at, length, cues } = passage
    const named = reference === '' ? '' : JSON.stringify(reference)
    const spoken = JSON.stringify(speaker)
    rows.push([thread, place, shelf, named, spoken, role, at, length, cues, writeTerms(entries)])
    counts.add(spoken, 1, length)
  }
  yield* runEach(sql.addPassage, rows)
  // In the order of the table, so that neighbours land on one page while it is at hand.
  postings.sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[3] - b[3])
  yield* runEach(sql.addPosting, postings)
}

/** Counts the words of new passages and answers with their keys. */
function* termKeys(shelf: number, passages: readonly NewPassage[]): Program<ReadonlyMap<string, number>> {
  const found = new Map<string, number>()
  for (const { terms } of passages) for (const { term } of terms) found.set(term, (found.get(term) ?? 0) + 1)
  const counted = yield* allEach<{ readonly key: number; readonly term: string }>(
    sql.countTerm,
    [...found].map(([term, count]) => [shelf, JSON.stringify(term), count]),
  )
  // By what they say, not by their order: a database may answer to many insertions as it likes.
  return new Map(counted.flat().map(({ key, term }) => [JSON.parse(term) as string, key]))
}

/** What is posted again has another text: its old vector must not speak for it. */
function* writePosted(shelf: number, { scope, posted, unposted }: RecallChange): Program<void> {
  yield* runEach(
    sql.removePosted,
    [...new Set([...unposted, ...posted])].map((key) => [shelf, key]),
  )
  if (unposted.length > 0) yield* removeVectors(scope, unposted)
  yield* runEach(
    sql.addPosted,
    posted.map((key) => [shelf, key]),
  )
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

  steps(shelf: number): readonly Step[] {
    return [
      // A word that stands nowhere any more may be what somebody wanted forgotten.
      ...[...this.lost].flatMap(([key, count]) => [change(sql.dropTerm, count, key), change(sql.removeTerm, key)]),
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
