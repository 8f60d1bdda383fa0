import type { View } from '../log/view.ts'
import type { LogStore } from '../ports/log-store.ts'
import type { RecallCursor, RecallStore, ThreadChange } from '../ports/recall-store.ts'
import type { Analyser } from './analyser.ts'
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

const START: RecallCursor = { version: 0, seq: 0 }

/** The changes of one session, each resting on the one before. */
export class Poster {
  readonly index: Index
  readonly view: View
  readonly thread: number
  /** Somebody else moved the cursor meanwhile: whatever rests on it is not written. */
  isOvertaken = false
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
    return cursor
  }

  /** A change that rests on the one before, which may still be under way: until it is written, the cursor is a hope. */
  next(change: Pick<ThreadChange, 'remove' | 'add' | 'next'>, gone: Iterable<number> = []): ThreadChange {
    const keyOf = (seq: number): string => vectorKey(this.thread, seq)
    const expected = this.#cursor
    this.#cursor = { ...change.next, disturbed: expected?.disturbed ?? 0 }
    return {
      thread: this.thread,
      expected,
      removeReferences: [],
      posted: [...new Set(change.add.map(({ place }) => seqOf(place)))].map(keyOf),
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

  finish(): Promise<boolean> {
    return this.write({ remove: [], add: [], next: this.newest })
  }
}
