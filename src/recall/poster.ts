import type { View } from '../log/view.ts'
import type { LogStore } from '../ports/log-store.ts'
import type { NewPassage, PassageRow, RecallCursor, RecallStore, ThreadChange } from '../ports/recall-store.ts'
import type { Analyser } from './analyser.ts'
import { cursorAfter } from './cursor-after.ts'
import { partsOf } from './parts-of.ts'
import { seqOf, threadOf } from './place.ts'
import { vectorKey } from './vectors/message-source.ts'

/** The log, and the index that is made from it. */
export interface IndexParts {
  readonly log: LogStore<'searchable'>
  readonly recall: RecallStore
  readonly analyser: Analyser
}

export interface Index extends IndexParts {
  /** Called between steps, so that others have their turn. */
  readonly pause: () => Promise<void>
}

/** What leaves takes a statement each, also where what comes is written as a whole. */
const POSTINGS_PER_REMOVAL = 1_000
const START: RecallCursor = { version: 0, seq: 0 }

/** The changes of one session, each resting on the one before. */
export class Poster {
  readonly index: Index
  readonly view: View
  readonly thread: number
  /** Somebody else moved the cursor meanwhile: whatever rests on it is not written. */
  isOvertaken = false
  /** The place up to which a long message is in the index already: indexing it was interrupted. */
  resumeAfter = 0
  #cursor: RecallCursor | null = null

  constructor(index: Index, view: View) {
    this.index = index
    this.view = view
    this.thread = threadOf('message', view.session.key)
  }

  /** Where the cursor stands when all is done. */
  get newest(): RecallCursor {
    return { version: this.view.version, seq: this.view.lastSeq }
  }

  get posted(): RecallCursor {
    return this.#cursor ?? START
  }

  async start(): Promise<RecallCursor | undefined> {
    const [cursor] = await this.index.recall.threads([this.view.session.scope], [this.thread])
    this.#cursor = cursor ?? null
    this.resumeAfter = cursor?.unfinished ?? 0
    return cursor
  }

  /** A change that rests on the one before, which may still be under way: until it is written, the cursor is a hope. */
  next(change: Pick<ThreadChange, 'remove' | 'add' | 'next'>, gone: Iterable<number> = []): ThreadChange {
    const keyOf = (seq: number): string => vectorKey(this.thread, seq)
    const expected = this.#cursor
    this.#cursor = cursorAfter({ ...change, expected })
    return {
      thread: this.thread,
      expected,
      // A message counts as posted when its last passage is in the index.
      posted: [...new Set(change.add.map(({ place }) => seqOf(place)))]
        .filter((seq) => seq !== seqOf(change.next.unfinished ?? 0))
        .map(keyOf),
      unposted: [...new Set(gone)].map(keyOf),
      ...change,
    }
  }

  /** @param gone Positions of messages that leave the index, or come again. */
  async write(change: Pick<ThreadChange, 'remove' | 'add' | 'next'>, gone: Iterable<number> = []): Promise<boolean> {
    const { scope } = this.view.session
    const [written] = await this.index.recall.change({ scope, kind: 'message', threads: [this.next(change, gone)] })
    if (written !== true) this.isOvertaken = true
    await this.index.pause()
    return !this.isOvertaken
  }

  /**
   * Writes passages in place of those that stand at the same places, in changes of bearable size. The first ones of a message are
   * written last: when they are there, all are.
   */
  async replace(passages: readonly NewPassage[]): Promise<boolean> {
    for (const add of partsOf(
      passages,
      ({ terms }) => terms.length,
      this.index.recall.postingsPerChange,
    ).toReversed()) {
      const stretches = new Map<number, { from: number; through: number }>()
      for (const { place } of add)
        stretches.set(seqOf(place), { from: stretches.get(seqOf(place))?.from ?? place, through: place })
      if (!(await this.write({ remove: [...stretches.values()], add, next: this.posted }))) return false
    }
    return true
  }

  /** Takes passages out of the index, in changes of bearable size. */
  async remove(rows: readonly PassageRow[]): Promise<boolean> {
    for (const part of partsOf(rows, ({ terms }) => terms.length / 2, POSTINGS_PER_REMOVAL)) {
      const remove = part.map(({ place }) => ({ from: place, through: place }))
      const seqs = part.map(({ place }) => seqOf(place))
      if (!(await this.write({ remove, add: [], next: this.posted }, seqs))) return false
    }
    return true
  }

  finish(): Promise<boolean> {
    return this.write({ remove: [], add: [], next: this.newest })
  }
}
