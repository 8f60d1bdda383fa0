import { type RecallKind, recallKinds } from '../../ports/recall-store.ts'
import { erasureStatements as sql } from './erasure-statements.ts'
import { type Program, all, one, run } from './program.ts'
import { recallStatements as recall } from './recall-statements.ts'
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

const PASSAGES_PER_SEQ = 2 ** 20

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
export function* unpostMessages(of: IndexThread, what: 'all' | readonly number[]): Program<Unposted> {
  const thread = of.key * 4 + recallKinds[of.kind]
  const rows: PassageRow[] = []
  if (what === 'all') rows.push(...(yield* all<PassageRow>(sql.allPassages, thread)))
  else
    for (const seq of what)
      rows.push(
        ...(yield* all<PassageRow>(
          recall.passagesIn,
          thread,
          seq * PASSAGES_PER_SEQ,
          (seq + 1) * PASSAGES_PER_SEQ - 1,
        )),
      )
  const shelf = yield* shelfOf(of.scope, of.kind)
  const terms = yield* removePassages(rows)
  return { passages: rows.length, terms, vectors: yield* removeVectors(of, thread, shelf, what) }
}

/** Takes facts out of the index of a scope. */
export function* unpostFacts(scope: string, ids: readonly string[]): Program<Unposted> {
  const shelf = yield* shelfOf(scope, 'facts')
  if (shelf === undefined) return { passages: 0, terms: 0, vectors: 0 }
  const rows: PassageRow[] = []
  const thread = shelf * 4 + recallKinds.facts
  for (const id of ids) rows.push(...(yield* all<PassageRow>(recall.passagesOfReference, thread, JSON.stringify(id))))
  return { passages: rows.length, terms: yield* removePassages(rows), vectors: 0 }
}

/** Whoever posts this thread at this moment rests on what it was before, and must begin again. */
export function* disturb(of: IndexThread): Program<void> {
  const thread = of.key * 4 + recallKinds[of.kind]
  if ((yield* one(sql.thread, thread)) !== undefined) {
    yield* run(sql.moveThread, thread)
    return
  }
  const shelf =
    (yield* shelfOf(of.scope, of.kind)) ??
    (yield* one<{ readonly key: number }>(recall.makeShelf, of.scope, recallKinds[of.kind]))?.key
  yield* run(sql.addThread, thread, shelf)
}

/** Answers how many words were in no other passage. */
function* removePassages(rows: readonly PassageRow[]): Program<number> {
  const lost = new Map<number, number>()
  const speakers = new Map<string, { readonly shelf: number; readonly speaker: string; count: number }>()
  const shelves = new Map<number, { passages: number; words: number }>()
  const threads = new Map<number, number>()
  for (const { thread, place, shelf, speaker, length, terms } of rows) {
    for (const { key, impact } of readTerms(terms)) {
      yield* run(recall.removePosting, key, impact, thread, place)
      lost.set(key, (lost.get(key) ?? 0) + 1)
    }
    yield* run(recall.removePassage, thread, place)
    const counts = shelves.get(shelf) ?? { passages: 0, words: 0 }
    shelves.set(shelf, { passages: counts.passages + 1, words: counts.words + length })
    threads.set(thread, (threads.get(thread) ?? 0) + length)
    const name = `${shelf} ${speaker}`
    speakers.set(name, { shelf, speaker, count: (speakers.get(name)?.count ?? 0) + 1 })
  }
  let gone = 0
  for (const [key, count] of lost) {
    yield* run(recall.dropTerm, count, key)
    gone += yield* run(recall.removeTerm, key)
  }
  for (const { shelf, speaker, count } of speakers.values()) {
    if (speaker === '""') continue
    yield* run(recall.countSpeaker, shelf, speaker, -count)
    yield* run(recall.dropSpeaker, shelf, speaker)
  }
  for (const [shelf, { passages, words }] of shelves) yield* run(recall.countShelf, -passages, -words, shelf)
  for (const [thread, words] of threads) yield* run(sql.wordsOfThread, words, thread)
  return gone
}

function* removeVectors(
  { scope }: IndexThread,
  thread: number,
  shelf: number | undefined,
  what: 'all' | readonly number[],
): Program<number> {
  let removed = 0
  if (what === 'all') {
    // Every key of the thread: the character after the colon is the semicolon.
    if (shelf !== undefined) yield* run(sql.unpostThread, shelf, `${thread}:`, `${thread};`)
    removed = yield* run(sql.deleteVectors, scope, `${thread}:`, `${thread};`)
  } else {
    for (const seq of what) {
      if (shelf !== undefined) yield* run(recall.removePosted, shelf, `${thread}:${seq}`)
      removed += yield* run(vectors.deletePassage, scope, `${thread}:${seq}`)
    }
  }
  // Also for who is embedding one of them at this moment.
  yield* run(vectors.touchScope, scope)
  return removed
}
