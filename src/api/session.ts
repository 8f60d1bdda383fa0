import type { Fold } from '../domain/fold.ts'
import type { Draft, Message, Role } from '../domain/message.ts'
import type { NewMessage } from '../domain/new-message.ts'
import type { Blocks } from './blocks.ts'
import type {
  CompactOptions,
  CompactOutcome,
  CompactionsOptions,
  Context,
  ContextOptions,
  ListedCompaction,
  ReopenOptions,
  ReopenedPage,
} from './contexts.ts'
import type { CachePrices, CacheSimulation, SimulateCacheOptions } from './cache.ts'
import type { Policy, PolicyName } from './policy.ts'
import type {
  ContextRecord,
  RecordedContext,
  RecordedContextsOptions,
  TokenBucket,
  TokenHistoryOptions,
} from './kept-contexts.ts'
import type { ChangeOptions, ChangeStep, Changed, SyncOptions, Synced } from './changes.ts'
import type { ContextDocument, DocumentOptions } from './document.ts'
import type {
  AppendOptions,
  Appended,
  AsOf,
  ForeignAppendOptions,
  HistoryOptions,
  Revision,
  SearchOptions,
  WatchOptions,
} from './messages.ts'
import type { ClearOptions, Cleared, ForkOptions, ReportedUsage, SessionStats } from './sessions.ts'
import type { SessionState } from './state.ts'
import type { KeptPiece, MessagePiece, MessageStream, StreamedMessage } from './streams.ts'

/** One conversation of a scope. It exists from its first append. Every write returns what was stored, or throws a MemoryError. */
export interface Session {
  /** Its id. */
  readonly id: string
  /** The working document: values, tasks, notes, and whatever a program wants to keep beside the messages. */
  readonly state: SessionState
  /** Named texts that are in every context of this session, inherited ones included. */
  readonly blocks: Blocks

  /**
   * Appends messages in order, all or none. They are on disk when the call resolves. Calls that are not awaited are stored in
   * the order they were made. With the option `from`, takes messages of a provider or a framework as they are.
   *
   * @example
   * import { openMemory } from 'daybook'
   * await using memory = await openMemory(':memory:')
   * const chat = memory.scope('acme/ada').session('support-42')
   * const [stored] = await chat.append({ role: 'user', content: 'My order 7731 is late, again.' })
   * console.log(stored.seq, stored.tokens)
   *
   * @throws {MemoryError} `log/conflict` if `after` is not the last position, or an id is stored with other content.
   */
  append(message: NewMessage, options?: AppendOptions): Promise<Appended<readonly [Message]>>
  append(messages: readonly NewMessage[], options?: AppendOptions): Promise<Appended>
  append(messages: unknown, options: ForeignAppendOptions): Promise<Appended>

  /**
   * Stores a message while it is written, for example a reply that a model streams. Its text is on disk within 200 milliseconds. It
   * is searched and learned from once, when it is complete. If the process ends before, what was written stays in the log, marked
   * `incomplete: 'streaming'`.
   *
   * A memory with a redactor stores the message at its end, because a redactor has to see the whole text.
   *
   * @example
   * import { openMemory } from 'daybook'
   * await using memory = await openMemory(':memory:')
   * const chat = memory.scope('acme/ada').session('support-42')
   * await using reply = chat.stream({ role: 'assistant' })
   * for (const delta of ['Order 7731 ', 'left ', 'today.']) reply.write(delta)
   * const [message] = await reply.end()
   * console.log(message?.seq, message?.parts)
   */
  stream(message: StreamedMessage): MessageStream

  /**
   * Stores a piece of a message that is being streamed. `stream` does this for you. A piece follows what is stored, or takes the place
   * of the last piece.
   *
   * @throws {MemoryError} `log/not-found` if there is no such message; `log/conflict` if it is complete, or the piece does not fit.
   */
  keepPiece(id: string, piece: MessagePiece): Promise<KeptPiece>

  /**
   * Reads everything ever appended, oldest first. What was taken out of the window is marked `removed`.
   *
   * @example
   * import { openMemory } from 'daybook'
   * await using memory = await openMemory(':memory:')
   * const chat = memory.scope('acme/ada').session('support-42')
   * const firstPage = await chat.history({ limit: 100 })
   * const nextPage = await chat.history({ limit: 100, after: firstPage.at(-1)?.seq ?? 0 })
   * console.log(nextPage.length)
   */
  history(options?: HistoryOptions): Promise<readonly Message[]>

  /** Reads the newest `n` messages of the window, oldest first. */
  recent(n: number, options?: AsOf): Promise<readonly Message[]>

  /** Reads the messages of one role in the window, oldest first: all, or the newest `n`. */
  byRole(role: Role, n?: number, options?: AsOf): Promise<readonly Message[]>

  /** Finds messages of the window that have a text in them, in any case, oldest first. */
  search(text: string, options?: SearchOptions): Promise<readonly Message[]>

  /** Reads one message by its id, removed or not; `undefined` if the session has none. */
  get(id: string, options?: AsOf): Promise<Message | undefined>

  /** Counts the messages that are live. */
  count(options?: AsOf): Promise<number>

  /** Counts what the session has: messages by role, tokens, tool calls, revisions. */
  stats(options?: AsOf): Promise<SessionStats>

  /** Reads what is live: the folds and messages that the last compaction left, then every message after it. */
  window(options?: AsOf): Promise<readonly (Message | Fold)[]>

  /**
   * Builds the messages for one call of a model, within a budget and valid for every provider. If the policy's high mark was
   * passed, old messages are folded first, for contexts with the same policy, pins and model and at most the same budget.
   * `window()` does not show these folds, `compactions()` lists them, and `undo` undoes one by its number.
   *
   * @example
   * import { openMemory } from 'daybook'
   * await using memory = await openMemory(':memory:')
   * const chat = memory.scope('acme/ada').session('support-42')
   * await chat.append({ role: 'user', content: 'My order 7731 is late, again.' })
   * const context = await chat.context({ model: 'gpt-5', budget: 8_000 })
   * const messages = context.as('openai') // for chat.completions.create({ model, messages })
   * console.log(messages.length, context.tokens, context.receipt.lines)
   *
   * @throws {MemoryError} `context/over-budget` if the system text and the pins do not fit.
   */
  context(options?: ContextOptions): Promise<Context>

  /**
   * Makes the window smaller now, for everybody. The log keeps all messages, and `undo` gives the window back.
   *
   * @example
   * import { openMemory } from 'daybook'
   * await using memory = await openMemory(':memory:')
   * const chat = memory.scope('acme/ada').session('support-42')
   * await chat.append({ role: 'user', content: 'My order 7731 is late, again.' })
   * const outcome = await chat.compact({ policy: 'rolling', dryRun: true })
   * console.log(outcome.type)
   */
  compact(options?: CompactOptions): Promise<CompactOutcome>

  /**
   * Takes back the last `compact()`, or a compaction by its number, with all that were made on top of it. Returns their
   * numbers, newest first.
   *
   * @throws {MemoryError} `context/not-found` if there is no such compaction in effect.
   */
  undo(compaction?: number): Promise<readonly number[]>

  /** Lists the compactions, newest first: those of `compact()`, and what contexts folded for their own kind of call. */
  compactions(options?: CompactionsOptions): Promise<readonly ListedCompaction[]>

  /**
   * Lists the contexts that were built in the last 30 days, newest first, in numbers. Contexts with `compact: false` and those of a
   * memory or a key that may only read are not recorded.
   */
  contexts(options?: RecordedContextsOptions): Promise<readonly RecordedContext[]>

  /**
   * Reads a recorded context with its messages, and whether they are exactly those that were handed out.
   *
   * @throws {MemoryError} `context/not-found` if there is no record with this id.
   */
  contextAt(id: string): Promise<ContextRecord>

  /** Reads what the contexts cost by kind, oldest first, in at most 500 buckets. */
  tokenHistory(options?: TokenHistoryOptions): Promise<readonly TokenBucket[]>

  /**
   * Replays the session under each policy in a copy, and says what it would have cost with a prompt cache. Behind a server, the server
   * does it.
   */
  simulateCache(
    policies: readonly (PolicyName | Policy)[],
    prices: CachePrices,
    options?: SimulateCacheOptions,
  ): Promise<readonly CacheSimulation[]>

  /** Reads the original messages behind a fold, or behind `message-12`, by pages of characters. */
  reopen(fold: string, options?: ReopenOptions): Promise<ReopenedPage>

  /**
   * Gives a message new content. The earlier revision stays readable with `asOf`; `null` removes a field.
   *
   * @throws {MemoryError} `log/not-found` if the session has no such message.
   */
  revise(id: string, patch: Revision): Promise<Message>

  /**
   * Gives the session another description: the system message that it started with is revised. A session without one gets a system
   * message, and one that does not exist is started with it.
   */
  describe(text: string): Promise<Message>

  /** Takes a message out of the window. The log keeps it. `false` if there was nothing to take out. */
  remove(id: string): Promise<boolean>

  /** Takes everything so far out of the window, except system messages. The log keeps it. */
  clear(options?: ClearOptions): Promise<Cleared>

  /**
   * Appends, revises, removes and clears in one transaction: all steps or none. With `operationId`, a retry changes nothing.
   *
   * @example
   * import { openMemory } from 'daybook'
   * await using memory = await openMemory(':memory:')
   * const chat = memory.scope('acme/ada').session('support-42')
   * const [question] = await chat.append({ role: 'user', content: 'Where is my order?' })
   * await chat.change(
   *   [
   *     { type: 'remove', id: question.id },
   *     { type: 'append', messages: [{ role: 'user', content: 'Where is my order 7731?' }] },
   *   ],
   *   { after: question.seq, operationId: 'edit-1' },
   * )
   *
   * @throws {MemoryError} `log/conflict` if `after` is not the last position; `log/id-conflict` if the operation was carried out
   * with other steps; `log/not-found` if there is no such message. Nothing is changed then.
   */
  change(steps: readonly ChangeStep[], options?: ChangeOptions): Promise<Changed>

  /**
   * Makes the live messages follow the transcript of a host: appends what is new, revises what changed under its id, removes what
   * is no longer there. Messages before the first one given stay as they are. The second call changes nothing.
   *
   * @example
   * import { openMemory } from 'daybook'
   * await using memory = await openMemory(':memory:')
   * const chat = memory.scope('acme/ada').session('support-42')
   * const messages = [{ id: 'm1', role: 'user', parts: [{ type: 'text', text: 'My order 7731 is late.' }] }]
   * await chat.sync(messages, { dialect: 'ai-sdk-ui' })
   */
  sync(messages: readonly NewMessage[], options?: Omit<SyncOptions, 'dialect'>): Promise<Synced>
  sync(messages: unknown, options: SyncOptions): Promise<Synced>

  /**
   * Starts a session that shares the history of this one up to a point. Nothing is copied.
   *
   * @example
   * import { openMemory } from 'daybook'
   * await using memory = await openMemory(':memory:')
   * const chat = memory.scope('acme/ada').session('support-42')
   * await chat.append({ role: 'user', content: 'My order 7731 is late, again.' })
   * const whatIf = await chat.fork('support-42-refund', { at: 1 })
   * await whatIf.append({ role: 'assistant', content: 'We will refund it.' })
   *
   * @throws {MemoryError} `log/not-found` if this session does not exist; `log/exists` if the new one does.
   */
  fork(newId: string, options?: ForkOptions): Promise<Session>

  /** Another conversation of the same scope. Making the handle reads nothing. */
  sibling(id: string): Session

  /**
   * Follows the session: every new message, once and in order, whoever appends it. A message that is being streamed, and what comes
   * after it, is held back until it is complete; if its writer is silent for ten seconds, it comes as it is.
   */
  watch(options?: WatchOptions): AsyncIterableIterator<Message, undefined>

  /** Reads the bytes of images and files that these messages point to, by hash: what `convert` needs to encode them. */
  blobs(messages: readonly Draft[]): Promise<ReadonlyMap<string, Uint8Array>>

  /** Reads the session as one document: history, summary, facts, tasks, notes, tools, tokens. */
  document(options?: DocumentOptions): Promise<ContextDocument>

  /** Reports what a provider counted for a request, so that later estimates for that model are closer. */
  usage(reported: ReportedUsage): Promise<void>
}
