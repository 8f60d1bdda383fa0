import { defined } from '../domain/defined.ts'
import type { Session } from '../api/session.ts'
import type {
  CompactOptions,
  CompactOutcome,
  CompactionsOptions,
  Context,
  ContextOptions,
  ListedCompaction,
  ReopenOptions,
  ReopenedPage,
} from '../api/contexts.ts'
import type { CachePrices, CacheSimulation, SimulateCacheOptions } from '../api/cache.ts'
import type { Policy, PolicyName } from '../api/policy.ts'
import type {
  ContextRecord,
  RecordedContext,
  RecordedContextsOptions,
  TokenBucket,
  TokenHistoryOptions,
} from '../api/kept-contexts.ts'
import type {
  ClearOptions,
  Cleared,
  ForkOptions,
  ReportedUsage,
  SessionOptions,
  SessionStats,
} from '../api/sessions.ts'
import type { Blocks } from '../api/blocks.ts'
import type { ChangeOptions, ChangeStep, Changed, SyncOptions, Synced } from '../api/changes.ts'
import { LocalBlocks } from '../blocks/local-blocks.ts'
import { draftsFrom, transcriptFrom } from '../dialects/drafts-from.ts'
import { withForeignShape } from '../dialects/foreign-shape.ts'
import type { Fold } from '../domain/fold.ts'
import type { Draft, Message, Role } from '../domain/message.ts'
import type { NewMessage } from '../domain/new-message.ts'
import type { AppendOptions, Appended, AsOf, ForeignAppendOptions, HistoryOptions } from '../api/messages.ts'
import type { Revision, SearchOptions, WatchOptions } from '../api/messages.ts'
import { append } from '../log/append.ts'
import { blobsIn } from '../log/blobs.ts'
import { changeSession } from '../log/change-session.ts'
import { clear } from '../log/clear.ts'
import { count } from '../log/count.ts'
import { describe } from '../log/describe.ts'
import { fork } from '../log/fork.ts'
import { get } from '../log/get.ts'
import { history, liveMessages } from '../log/history.ts'
import { keepPiece } from '../log/keep-piece.ts'
import type { Address, Log } from '../log/log.ts'
import { type PreparedMessage, prepare } from '../log/prepare.ts'
import { remove } from '../log/remove.ts'
import { revise } from '../log/revise.ts'
import { syncSession } from '../log/sync-session.ts'
import { stats } from '../log/stats.ts'
import { watch } from '../log/watch.ts'
import type { ContextDocument, DocumentOptions } from '../api/document.ts'
import type { SessionState } from '../api/state.ts'
import type { KeptPiece, MessagePiece, MessageStream, StreamedMessage } from '../api/streams.ts'
import type { LogStore } from '../ports/log-store.ts'
import { checkCall } from '../surface/check-call.ts'
import { changeOperations } from '../surface/changes.ts'
import { contextOperations } from '../surface/contexts.ts'
import { messageOperations } from '../surface/messages.ts'
import { checkSession, sessionOperations } from '../surface/sessions.ts'
import { streamCall, streamOperations } from '../surface/streams.ts'
import { messageStream } from '../streams/message-stream.ts'
import type * as Calls from './context-calls.ts'
import type { Wiring } from './wiring.ts'
import { localState } from '../state/local-state.ts'

/** Loaded when somebody asks for a context: half of all modules, and a program that only appends needs none of them. */
function lib(): Promise<typeof Calls> {
  return import('./context-calls.ts')
}

/** The one that works on a store of its own; `daybook/client` has the one behind a server. */
export class LocalSession implements Session {
  readonly id: string
  #state: SessionState | undefined
  readonly blocks: Blocks
  readonly #parts: Wiring
  readonly #address: Address
  readonly #description: string | undefined
  #prepared: Promise<PreparedMessage | undefined> | undefined

  /** @internal Use `scope.session(id)`. */
  constructor(parts: Wiring, address: Address, options: SessionOptions) {
    this.#parts = parts
    this.#address = address
    this.id = address.session
    this.blocks = new LocalBlocks(parts, address)
    this.#description = options.description
  }

  get state(): SessionState {
    return (this.#state ??= localState(this.#parts, this.#address))
  }

  append(message: NewMessage, options?: AppendOptions): Promise<Appended<readonly [Message]>>
  append(messages: readonly NewMessage[], options?: AppendOptions): Promise<Appended>
  append(messages: unknown, options: ForeignAppendOptions): Promise<Appended>
  async append(messages: unknown, options: Partial<ForeignAppendOptions> = {}): Promise<Appended<never>> {
    const { log, work } = this.#use()
    checkCall(messageOperations.append, messages, options)
    const { from, ...plain } = options
    const given = from === undefined ? messages : draftsFrom('append', from, messages)
    const list = Array.isArray(given) ? (given as readonly NewMessage[]) : [given as NewMessage]
    try {
      const stored = await work.begin(append(log, this.#address, list, { ...plain, ...this.#starting() }))
      this.#learn()
      return stored as Appended<never>
    } catch (error) {
      throw withForeignShape(error, list)
    }
  }

  stream(message: StreamedMessage): MessageStream {
    const { log } = this.#use()
    checkCall(streamCall, message)
    return messageStream(this, message, message.id ?? log.newId())
  }

  async keepPiece(id: string, piece: MessagePiece): Promise<KeptPiece> {
    checkCall(streamOperations.keep, id, piece)
    return this.#write((log) => keepPiece(log, this.#address, id, { ...piece, ...this.#starting() }))
  }

  async history(options: HistoryOptions = {}): Promise<readonly Message[]> {
    checkCall(messageOperations.history, options)
    return this.#read((parts) => history(logOf(parts, options), this.#address, options))
  }

  async window(options: AsOf = {}): Promise<readonly (Message | Fold)[]> {
    checkCall(contextOperations.window, options)
    return this.#read(async (parts) => (await lib()).readWindow(parts, this.#address, options.asOf))
  }

  async context(options: ContextOptions = {}): Promise<Context> {
    return this.#write(async () => (await lib()).context(this.#parts, this.#address, options, this.#description))
  }

  async compact(options: CompactOptions = {}): Promise<CompactOutcome> {
    return this.#write(async () => (await lib()).compactWindow(this.#parts, this.#address, options))
  }

  async undo(compaction?: number): Promise<readonly number[]> {
    checkCall(contextOperations.undo, compaction)
    return this.#write(async (log) => (await lib()).undoCompaction(log, this.#address, compaction))
  }

  async compactions(options: CompactionsOptions = {}): Promise<readonly ListedCompaction[]> {
    return this.#read(async (parts) => (await lib()).compactionsOf(parts, this.#address, options))
  }

  async contexts(options: RecordedContextsOptions = {}): Promise<readonly RecordedContext[]> {
    return this.#read(async (parts) => (await lib()).recordedContexts(parts, this.#address, options))
  }

  async contextAt(id: string): Promise<ContextRecord> {
    return this.#read(async (parts) => (await lib()).recordedContext(parts, this.#address, id))
  }

  async tokenHistory(options: TokenHistoryOptions = {}): Promise<readonly TokenBucket[]> {
    return this.#read(async (parts) => (await lib()).tokenBuckets(parts, this.#address, options))
  }

  async simulateCache(
    policies: readonly (PolicyName | Policy)[],
    prices: CachePrices,
    options: SimulateCacheOptions = {},
  ): Promise<readonly CacheSimulation[]> {
    this.#use()
    return (await lib()).replayPolicies(this, policies, prices, options)
  }

  async reopen(fold: string, options: ReopenOptions = {}): Promise<ReopenedPage> {
    return this.#read(async (parts) => (await lib()).reopenPage(parts, this.#address, fold, options))
  }

  async recent(n: number, options: AsOf = {}): Promise<readonly Message[]> {
    checkCall(messageOperations.recent, n, options)
    return this.#live({ ...options, limit: n })
  }

  async byRole(role: Role, n?: number, options: AsOf = {}): Promise<readonly Message[]> {
    checkCall(messageOperations.byRole, role, n, options)
    return this.#live({ ...options, role, ...defined({ limit: n }) })
  }

  async search(text: string, options: SearchOptions = {}): Promise<readonly Message[]> {
    checkCall(messageOperations.search, text, options)
    return this.#live({ ...options, text })
  }

  async get(id: string, options: AsOf = {}): Promise<Message | undefined> {
    checkCall(messageOperations.get, id, options)
    return this.#read(({ store }) => get(store.log, this.#address, id, options.asOf))
  }

  async count(options: AsOf = {}): Promise<number> {
    checkCall(sessionOperations.count, options)
    return this.#read(({ store }) => count(store.log, this.#address, options.asOf))
  }

  async stats(options: AsOf = {}): Promise<SessionStats> {
    checkCall(sessionOperations.stats, options)
    return this.#read(({ store }) => stats(store.log, this.#address, options.asOf))
  }

  async revise(id: string, patch: Revision): Promise<Message> {
    checkCall(messageOperations.revise, id, patch)
    const revised = await this.#read(({ log }) => revise(log, this.#address, id, patch))
    this.#learn()
    return revised
  }

  async describe(text: string): Promise<Message> {
    checkCall(sessionOperations.describe, text)
    const described = await this.#read(({ log }) => describe(log, this.#address, text))
    this.#learn()
    return described
  }

  async remove(id: string): Promise<boolean> {
    checkCall(messageOperations.remove, id)
    return this.#write((log) => remove(log, this.#address, id))
  }

  async clear(options: ClearOptions = {}): Promise<Cleared> {
    checkCall(sessionOperations.clear, options)
    return this.#write((log) => clear(log, this.#address, options))
  }

  async change(steps: readonly ChangeStep[], options: ChangeOptions = {}): Promise<Changed> {
    checkCall(changeOperations.change, steps, options)
    const changed = await this.#write((log) =>
      changeSession(log, this.#address, steps, { ...options, ...this.#starting() }),
    )
    this.#learn()
    return changed
  }

  async sync(messages: unknown, options: SyncOptions = {}): Promise<Synced> {
    checkCall(changeOperations.sync, messages, options)
    const { dialect, ...settings } = options
    const list = transcriptFrom(dialect, messages)
    const synced = await this.#write((log) =>
      syncSession(log, this.#address, list, { ...settings, ...this.#starting() }),
    )
    this.#learn()
    return synced
  }

  async fork(newId: string, options: ForkOptions = {}): Promise<Session> {
    checkCall(sessionOperations.fork, newId, options)
    await this.#write((log) => fork(log, this.#address, newId, options))
    return this.sibling(newId)
  }

  sibling(id: string): Session {
    checkSession(id, {})
    return new LocalSession(this.#parts, { ...this.#address, session: id }, {})
  }

  watch(options: WatchOptions = {}): AsyncIterableIterator<Message, undefined> {
    checkCall(messageOperations.watch, options)
    return watch(this.#use().log, this.#address, options)
  }

  async blobs(messages: readonly Draft[]): Promise<ReadonlyMap<string, Uint8Array>> {
    checkCall(messageOperations.blobs, messages)
    return blobsIn(this.#use().store.log, this.#address.scope, messages)
  }

  async document(options: DocumentOptions = {}): Promise<ContextDocument> {
    checkCall(sessionOperations.document, options)
    return this.#read(async (parts) => (await lib()).documentOf(parts, this.#address, options))
  }

  async usage(reported: ReportedUsage): Promise<void> {
    await this.#write(async () => (await lib()).usage(this.#parts, this.#address, reported))
  }

  /** The system message that a new session starts with, made ready once. */
  #opening(): Promise<PreparedMessage | undefined> | undefined {
    if (this.#description === undefined) return undefined
    const message: NewMessage = { role: 'system', content: this.#description }
    if (this.#prepared === undefined) {
      this.#prepared = prepare(this.#parts.log, 'open a session', [message]).then(([first]) => first)
      // What failed once, a redactor as a rule, may succeed the next time.
      this.#prepared.catch(() => (this.#prepared = undefined))
    }
    return this.#prepared
  }

  #starting(): { readonly description?: Promise<PreparedMessage | undefined> } {
    return defined({ description: this.#opening() })
  }

  /** Lets background work know of a write that is done: nobody waits for that. */
  #learn(): void {
    const { scope, session } = this.#address
    this.#parts.runner.nudge({ scope, subject: session })
    this.#parts.posting.soon(scope)
  }

  /** Begins a write, so that closing waits for it. */
  #write<Result>(write: (log: Log) => Promise<Result>): Promise<Result> {
    const { log, work } = this.#use()
    return work.begin(write(log))
  }

  /** What is read shares a transaction and sees one moment, up to the first write. Closing waits for it. */
  #read<Result>(read: (parts: Wiring) => Promise<Result>): Promise<Result> {
    const parts = this.#use()
    return parts.work.begin(parts.store.together(() => read(parts)))
  }

  #use(): Wiring {
    this.#parts.work.checkOpen()
    return this.#parts
  }

  #live(options: HistoryOptions): Promise<readonly Message[]> {
    return this.#read((parts) =>
      liveMessages(logOf(parts, options), this.#address, { ...options, newest: options.limit !== undefined }),
    )
  }
}

/** Where to read: a copy that may be behind only for those who said so. */
function logOf({ store }: Wiring, { stale }: HistoryOptions): LogStore {
  return stale === true ? store.stale.log : store.log
}
