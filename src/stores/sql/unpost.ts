import type { RecallKind } from '../../api/recall.ts'
import { recallKinds } from '../../ports/recall-store.ts'
import type { ErasureStatements } from './erasure-statements.ts'
import { type Program, type ProgramStep, all, allEach, change, one, changeRows, runEach, together } from './program.ts'
import { recallStatements as recall } from './recall-statements.ts'
import { GonePostings } from './gone-postings.ts'
import { PASSAGES_PER_SEQ } from './passages-per-seq.ts'
import { readTerms } from './term-bytes.ts'
import { vectorStatements as vectors } from './vector-statements.ts'

/** A thread of the index: of a session's messages or folds, or of a scope's facts. The numbers are those of `recall/place.ts`. */
export interface IndexThread {
  readonly scope: string
  readonly kind: RecallKind
  readonly key: number
}

export interface Unposted {
  readonly passages: number
  readonly terms: number
  readonly vectors: number
}

interface PassageRow {
  readonly thread: number
  readonly place: number
  readonly shelf: number
  readonly speaker: string
  readonly length: number
  readonly terms: Uint8Array
}

function* shelfOf(scope: string, kind: RecallKind): Program<number | undefined> {
  return (yield* one<{ readonly key: number }>(recall.shelf, scope, recallKinds[kind]))?.key
}

/** Takes messages out of the index, words and vectors included, or everything of the thread. */
export function* unpostMessages(
  sql: ErasureStatements,
  of: IndexThread,
  what: 'all' | readonly number[],
): Program<Unposted> {
  const thread = of.key * 4 + recallKinds[of.kind]
  const rows =
    what === 'all'
      ? yield* all<PassageRow>(sql.allPassages, thread)
      : (yield* allEach<PassageRow>(
          recall.passagesIn,
          what.map((seq) => [thread, seq * PASSAGES_PER_SEQ, (seq + 1) * PASSAGES_PER_SEQ - 1]),
        )).flat()
  const vectorsGone = yield* removeVectors(sql, of, { thread, what })
  return { passages: rows.length, terms: yield* removePassages(sql, rows), vectors: vectorsGone }
}

/** Takes facts out of the index of a scope. */
export function* unpostFactRows(sql: ErasureStatements, scope: string, ids: readonly string[]): Program<Unposted> {
  const shelf = yield* shelfOf(scope, 'fact')
  if (shelf === undefined) return { passages: 0, terms: 0, vectors: 0 }
  const thread = shelf * 4 + recallKinds.fact
  const rows = (yield* allEach<PassageRow>(
    recall.passagesOfReference,
    ids.map((id) => [thread, JSON.stringify(id)]),
  )).flat()
  return { passages: rows.length, terms: yield* removePassages(sql, rows), vectors: 0 }
}

/** Whoever posts this thread at this moment rests on what it was before, and must begin again. */
export function* disturb(sql: ErasureStatements, of: IndexThread): Program<void> {
  const thread = of.key * 4 + recallKinds[of.kind]
  if ((yield* one(sql.thread, thread)) !== undefined) {
    yield* changeRows(sql.disturbThread, thread)
    return
  }
  const shelf =
    (yield* shelfOf(of.scope, of.kind)) ??
    (yield* one<{ readonly key: number }>(recall.makeShelf, of.scope, recallKinds[of.kind]))?.key
  yield* changeRows(sql.addThread, thread, shelf)
}

/** Answers how many words were in no other passage. */
function* removePassages(sql: ErasureStatements, rows: readonly PassageRow[]): Program<number> {
  const lost = new Map<number, GonePostings>()
  const speakers = new Map<string, { readonly shelf: number; readonly speaker: string; count: number }>()
  const shelves = new Map<number, { passages: number; words: number }>()
  const threads = new Map<number, number>()
  const steps: ProgramStep[] = []
  for (const { thread, place, shelf, speaker, length, terms } of rows) {
    const gone = lost.get(shelf) ?? new GonePostings()
    lost.set(shelf, gone)
    for (const { key, impact } of readTerms(terms)) gone.add(key, impact, { thread, place })
    steps.push(change(recall.removePassage, thread, place))
    const before = shelves.get(shelf) ?? { passages: 0, words: 0 }
    shelves.set(shelf, { passages: before.passages + 1, words: before.words + length })
    threads.set(thread, (threads.get(thread) ?? 0) + length)
    const name = `${shelf} ${speaker}`
    speakers.set(name, { shelf, speaker, count: (speakers.get(name)?.count ?? 0) + 1 })
  }
  for (const [shelf, gone] of lost) yield* gone.remove(shelf)
  const counts = [...lost.values()].flatMap((gone) => gone.counts)
  yield* together([
    ...steps,
    ...counts.map(([key, count]) => change(recall.dropTerm, count, key)),
    ...[...speakers.values()].flatMap(({ shelf, speaker, count }) =>
      speaker === '""'
        ? []
        : [change(recall.countSpeaker, shelf, speaker, -count), change(recall.dropSpeaker, shelf, speaker)],
    ),
    ...[...shelves].map(([shelf, { passages, words }]) => change(recall.countShelf, -passages, -words, shelf)),
    ...[...threads].map(([thread, words]) => change(sql.wordsOfThread, words, thread)),
  ])
  return yield* runEach(
    recall.removeTerm,
    counts.map(([key]) => [key]),
  )
}

/** The sets come first, as where vectors are stored: no two wait for each other. Also for who is embedding one of them now. */
function* removeVectors(
  sql: ErasureStatements,
  { scope, kind }: IndexThread,
  { thread, what }: { readonly thread: number; readonly what: 'all' | readonly number[] },
): Program<number> {
  const shelf = yield* shelfOf(scope, kind)
  yield* changeRows(vectors.touchScope, scope)
  if (what === 'all') {
    // Every key of the thread: the character after the colon is the semicolon.
    if (shelf !== undefined) yield* changeRows(sql.unpostThread, shelf, `${thread}:`, `${thread};`)
    return yield* changeRows(sql.deleteVectors, scope, `${thread}:`, `${thread};`)
  }
  const keys = what.map((seq) => `${thread}:${seq}`)
  if (shelf !== undefined)
    yield* runEach(
      recall.removePosted,
      keys.map((key) => [shelf, key]),
    )
  return yield* runEach(
    vectors.deletePassage,
    keys.map((key) => [scope, key]),
  )
}
