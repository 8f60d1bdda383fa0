import { setImmediate } from 'node:timers/promises'
import type { View } from '../log/view.ts'
import type { LogStore } from '../ports/log-store.ts'
import type { RecallChange, RecallCursor, RecallStore } from '../ports/recall-store.ts'
import type { Analyser } from './analyser.ts'
import { seqOf, threadOf } from './place.ts'
import { vectorKey } from './vectors/message-source.ts'

export interface Index {
  readonly log: LogStore
  readonly recall: RecallStore
  readonly analyser: Analyser
}

const START: RecallCursor = { version: 0, seq: 0 }

/** The changes of one session, each resting on the one before. */
export class Poster {
  readonly index: Index
  readonly view: View
  readonly thread: number
  #cursor: RecallCursor | null = null

  constructor(index: Index, view: View) {
    this.index = index
    this.view = view
    this.thread = threadOf('messages', view.session.key)
  }

  get posted(): RecallCursor {
    return this.#cursor ?? START
  }

  async start(): Promise<RecallCursor | undefined> {
    const [cursor] = await this.index.recall.threads([this.view.session.scope], [this.thread])
    this.#cursor = cursor ?? null
    return cursor
  }

  /** @param gone Positions of messages that leave the index, or come again. */
  async write(change: Pick<RecallChange, 'remove' | 'add' | 'next'>, gone: Iterable<number> = []): Promise<boolean> {
    const keyOf = (seq: number): string => vectorKey(this.thread, seq)
    const written = await this.index.recall.change({
      scope: this.view.session.scope,
      kind: 'messages',
      thread: this.thread,
      expected: this.#cursor,
      removeReferences: [],
      posted: [...new Set(change.add.map(({ place }) => seqOf(place)))].map(keyOf),
      unposted: [...new Set(gone)].map(keyOf),
      ...change,
    })
    if (written) this.#cursor = { ...change.next, disturbed: this.#cursor?.disturbed ?? 0 }
    // A long history is posted in many changes: others must have their turn in between.
    await setImmediate()
    return written
  }

  finish(): Promise<boolean> {
    const { version, lastSeq: seq } = this.view
    return this.write({ remove: [], add: [], next: { version, seq } })
  }
}
