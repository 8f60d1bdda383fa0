import { inTurns } from '../log/in-turns.ts'
import type { NewPassage, RecallCursor, RecallStore, ThreadChange } from '../ports/recall-store.ts'
import { cursorAfter } from './cursor-after.ts'
import { newPassage } from './message-passages.ts'
import { eachPassage } from './passage.ts'
import { placeOf, threadOf } from './place.ts'
import type { Index } from './poster.ts'
import type { FactToPost } from './sources.ts'

/**
 * Posts facts of a scope into the index, replacing what stands under the same ids, in changes of bearable size. The version of the
 * cursor moves with the last of them: after a crash, all are posted again. Returns false if somebody else moved it meanwhile.
 */
export async function postFacts(
  index: Pick<Index, 'recall' | 'analyser' | 'pause'>,
  scope: string,
  facts: readonly FactToPost[],
  cursor: { readonly after: number; readonly through: number; readonly gone?: readonly string[] },
): Promise<boolean> {
  const thread = await factThread(index.recall, scope)
  const [posted] = await index.recall.threads([scope], [thread])
  if ((posted?.version ?? 0) !== cursor.after) return false
  const { postingsPerChange } = index.recall
  const poster = new FactPoster(index, { scope, thread, posted: posted ?? null })
  let postings = 0
  const makeRoom = async (more: number, next: Partial<RecallCursor>): Promise<boolean> => {
    const isFull = postings > 0 && postings + more > postingsPerChange
    postings = isFull ? more : postings + more
    return !isFull || (await poster.write(next))
  }
  for (const reference of new Set([...facts.map(({ id }) => id), ...(cursor.gone ?? [])]))
    for (const { place, terms } of await index.recall.passages([scope], { thread, reference })) {
      if (!(await makeRoom(terms.length / 2, {}))) return false
      poster.remove.push({ from: place, through: place })
    }
  // What is left of a fact whose posting was interrupted has its number.
  let seq = poster.cursor.seq + ((poster.cursor.unfinished ?? 0) > 0 ? 1 : 0)
  for (const fact of facts) {
    seq += 1
    for await (const passage of inTurns(factPassages(index, fact, seq))) {
      const unfinished = poster.add.at(-1)?.place ?? poster.cursor.unfinished ?? 0
      if (!(await makeRoom(passage.terms.length, { seq: seq - 1, unfinished }))) return false
      poster.add.push(passage)
    }
  }
  return poster.write({ version: cursor.through, seq, unfinished: 0 })
}

function* factPassages(
  { analyser }: Pick<Index, 'analyser'>,
  { id, text, trust, at }: FactToPost,
  seq: number,
): Generator<NewPassage | undefined> {
  let nth = 0
  for (const passage of eachPassage(analyser, text)) {
    if (passage === undefined) {
      yield undefined
      continue
    }
    yield newPassage(passage, { place: placeOf(seq, nth), reference: id, speaker: '', role: trust, at })
    nth += 1
  }
}

/** Writes changes of a scope's facts, each resting on the one before. */
class FactPoster {
  cursor: RecallCursor
  add: NewPassage[] = []
  remove: { readonly from: number; readonly through: number }[] = []
  readonly #index: Pick<Index, 'recall' | 'pause'>
  readonly #scope: string
  readonly #thread: number
  #expected: RecallCursor | null

  constructor(
    index: Pick<Index, 'recall' | 'pause'>,
    of: { readonly scope: string; readonly thread: number; readonly posted: RecallCursor | null },
  ) {
    this.#index = index
    this.#scope = of.scope
    this.#thread = of.thread
    this.#expected = of.posted
    this.cursor = of.posted ?? { version: 0, seq: 0 }
  }

  /** Writes what was collected and moves the cursor. Returns false if somebody else moved it. */
  async write(next: Partial<RecallCursor>): Promise<boolean> {
    this.cursor = { ...this.cursor, ...next }
    const change: ThreadChange = {
      thread: this.#thread,
      expected: this.#expected,
      next: this.cursor,
      remove: this.remove,
      add: this.add,
      posted: [],
      unposted: [],
    }
    const [written] = await this.#index.recall.change({ scope: this.#scope, kind: 'fact', threads: [change] })
    this.cursor = cursorAfter(change)
    this.#expected = this.cursor
    this.add = []
    this.remove = []
    await this.#index.pause()
    return written === true
  }
}

/** A scope's facts are one thread, numbered by their shelf. */
export async function factThread(recall: RecallStore, scope: string): Promise<number> {
  return threadOf('fact', await recall.shelf(scope, 'fact'))
}
