import type { Draft } from '../domain/message.ts'
import type { NewMessage } from '../domain/new-message.ts'
import type { Clock } from '../ports/clock.ts'
import type { LogStore } from '../ports/log-store.ts'
import type { StateStore } from '../ports/state-store.ts'
import type { InOrder } from './in-order.ts'

/** All that the log's functions need from outside. */
export interface Log {
  readonly store: LogStore<'opened'>
  /** Where the pieces of messages are that are being streamed. */
  readonly pieces: Pick<StateStore, 'replace' | 'forget'>
  /** Sessions whose description was found to be the one that they started with, by key, and how many amendments they had then. */
  readonly described: Map<number, number>
  readonly clock: Clock
  readonly order: InOrder
  readonly newId: () => string
  readonly random: (bytes: number) => Uint8Array
  /** Tokens of a message: at once, unless it is long. */
  readonly count: (message: Draft) => number | Promise<number>
  /** The name of the tokenizer that counts. */
  readonly counter: string
  /** Directories from which `append` may read images and files; none unless the caller allowed some. */
  readonly fileRoots: readonly string[]
  readonly messageBytesMax: number
  /** Sees each new message before anything of it is stored; what it answers is stored instead. */
  readonly redact?: (message: NewMessage) => NewMessage | PromiseLike<NewMessage>
}

/** Which conversation: a scope and a session in it. */
export interface Address {
  readonly scope: string
  readonly session: string
}
