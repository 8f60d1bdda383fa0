import type { Entity } from '../domain/entity.ts'
import type { Fact, FactVersion, RememberedFact } from '../domain/fact.ts'
import type { ForgetReceipt } from '../domain/forget-receipt.ts'
import type { NewFact, SourceInput } from '../domain/new-fact.ts'
import type { Proposal } from '../domain/proposal.ts'
import type { ScopeExportOptions } from './archive.ts'
import type { Blocks } from './blocks.ts'
import type {
  EndorseAllOptions,
  EndorseOptions,
  FactHistoryOptions,
  FactOptions,
  FactOrigin,
  FactsOptions,
  ForgetOptions,
  ForgetTarget,
  RememberOptions,
  RestoreFactOptions,
  RetractOptions,
  Retention,
  RollBackReceipt,
} from './facts.ts'
import type {
  ConsolidateOptions,
  EntitiesOptions,
  EntityOptions,
  Graph,
  GraphOptions,
  GraphPath,
  PathOptions,
  Predicate,
  PredicateOptions,
  ProposalsOptions,
  Suggestion,
} from './graph.ts'
import type { ImportBatch, ImportBatchOptions, ImportOptions, ImportReport, ImportedBatch } from './imports.ts'
import type { RecallOptions, Recalled } from './recall.ts'
import type { RecordCalls, Records } from './records.ts'
import type { Session } from './session.ts'
import type { SessionOptions, SessionsOptions, SessionsPage } from './sessions.ts'
import type { ScopeEvent, ScopeWatchOptions } from './watching.ts'

/** What one owner has: sessions and facts. A scope inherits the facts of its ancestors. Making a handle reads nothing. */
export interface Scope {
  /** The path that it was opened with, for example `acme/ada`. */
  readonly name: string
  /** How long messages are kept. */
  readonly retention: Retention
  /** Named texts that are in every context of this scope and of those below it. */
  readonly blocks: Blocks
  /** The operations that `records` is made of, one request each. */
  readonly recordCalls: RecordCalls

  /**
   * Returns a handle to one conversation. It exists from its first append.
   *
   * @example
   * import { openMemory } from 'daybook'
   * await using memory = await openMemory(':memory:')
   * const chat = memory.scope('acme/ada').session('support-42', { description: 'You are a support agent.' })
   * await chat.append({ role: 'user', content: 'Hello' })
   */
  session(id: string, options?: SessionOptions): Session

  /**
   * Returns a handle to a collection of records: documents by key that nothing is learned from and that recall does not find. It
   * exists from its first record.
   */
  records(collection: string): Records

  /** Lists the sessions, newest first, page by page. */
  sessions(options?: SessionsOptions): Promise<SessionsPage>

  /**
   * Follows the scope: new sessions and messages, other changes of sessions, compactions, facts and jobs, by whatever process. With the `cursor`
   * of an event it continues after it: nothing is left out, and what happened in the minute before may be reported again.
   *
   * @example
   * import { openMemory } from 'daybook'
   * await using memory = await openMemory(':memory:')
   * const ada = memory.scope('acme/ada')
   * const events = ada.watch({ kinds: ['message'] })
   * await ada.session('support-42').append({ role: 'user', content: 'My order 7731 is late, again.' })
   * for await (const event of events) {
   *   if (event.type === 'message') console.log(event.session, event.message.seq)
   *   break
   * }
   */
  watch(options?: ScopeWatchOptions): AsyncIterableIterator<ScopeEvent, undefined>

  /** Reads the bytes of an image, a file or a sound by the hash that its part has; undefined if the scope has none. */
  blob(hash: string): Promise<Uint8Array | undefined>

  /**
   * Finds messages, folds and facts that may answer a question, best first, each with its reasons and its source. Works without
   * a model.
   *
   * @example
   * import { openMemory } from 'daybook'
   * await using memory = await openMemory(':memory:')
   * const ada = memory.scope('acme/ada')
   * await ada.session('support-42').append({ role: 'user', content: 'My order 7731 is late, again.' })
   * const { items } = await ada.recall("what is wrong with Ada's orders?", { budget: 1_000 })
   * for (const { text, source, why } of items) console.log(text, source.session, why.words)
   */
  recall(query: string, options?: RecallOptions): Promise<Recalled>

  /**
   * Stores facts, all or none. A fact that is known already gets one more source. Where a predicate holds one value at a time, a
   * new value closes the one before. Each result says what happened.
   *
   * @example
   * import { openMemory } from 'daybook'
   * await using memory = await openMemory(':memory:')
   * const ada = memory.scope('acme/ada')
   * const [fact] = await ada.remember({ subject: 'Ada', predicate: 'prefers', object: 'email' })
   * console.log(fact.id, fact.outcome)
   *
   * @throws {MemoryError} `knowledge/conflict` if `expect` is not what is stored.
   */
  remember(fact: NewFact, options?: RememberOptions): Promise<readonly [RememberedFact]>
  remember(facts: readonly NewFact[], options?: RememberOptions): Promise<readonly RememberedFact[]>

  /**
   * Reads facts of this scope and its ancestors, newest first: those that are true and trusted, unless others are asked for.
   *
   * @example
   * import { openMemory } from 'daybook'
   * await using memory = await openMemory(':memory:')
   * const ada = memory.scope('acme/ada')
   * await ada.remember({ subject: 'Ada', predicate: 'prefers', object: 'email' })
   * const facts = await ada.facts({ subject: 'Ada' })
   * console.log(facts.map(({ text }) => text))
   */
  facts(options?: FactsOptions): Promise<readonly Fact[]>

  /** Reads one fact, whatever its state; `undefined` if there is none. */
  fact(id: string, options?: FactOptions): Promise<Fact | undefined>

  /** Reads the versions of a fact, oldest first. */
  factHistory(id: string, options?: FactHistoryOptions): Promise<readonly FactVersion[]>

  /**
   * Returns the version of what is known here: the number of changes of this scope and its ancestors. `asOf: { version }` reads that
   * version again at any later time.
   */
  knowledgeVersion(): Promise<number>

  /** Reads what is known around entities, with relations both ways. */
  graph(options: GraphOptions): Promise<Graph>

  /** Finds the shortest path from one entity to another. */
  path(from: string, to: string, options?: PathOptions): Promise<GraphPath>

  /** Lists the entities of this scope and its ancestors, by name. */
  entities(options?: EntitiesOptions): Promise<readonly Entity[]>

  /** Reads one entity by its name or an alias; `undefined` if there is none. */
  entity(name: string, options?: EntityOptions): Promise<Entity | undefined>

  /** Declares whether a predicate holds one value at a time, here and in the scopes below. */
  predicate(name: string, options: PredicateOptions): Promise<Predicate>

  /** Lists the predicates that were declared here or above, and those that are built in. */
  predicates(): Promise<readonly Predicate[]>

  /** Takes a fact back. It stays readable, and facts that it had replaced are valid again. */
  retract(id: string, reason?: string, options?: RetractOptions): Promise<Fact>

  /** Brings a retracted fact back. */
  restore(id: string, options?: RestoreFactOptions): Promise<Fact>

  /** Raises the trust of a fact as a person: takes it out of quarantine, and applies it if it was disputed. */
  endorse(id: string, options?: EndorseOptions): Promise<Fact>

  /** Endorses all facts of this scope that one source taught: `{ session: 'imported' }`, or `{ channel: 'import' }`. */
  endorseAll(source: FactOrigin, options?: EndorseAllOptions): Promise<readonly Fact[]>

  /** Takes back everything that a message or a fact taught, also through other facts. */
  rollBack(source: SourceInput): Promise<RollBackReceipt>

  /** Shows what merging or splitting entities, or joining or closing facts, would change. Nothing is changed. */
  propose(suggestion: Suggestion, reason?: string): Promise<Proposal>

  /** Looks for duplicates, for two names of one thing and for stale facts, and proposes what to do. Nothing is changed. */
  consolidate(options?: ConsolidateOptions): Promise<readonly Proposal[]>

  /** Lists what was proposed, oldest first. */
  proposals(options?: ProposalsOptions): Promise<readonly Proposal[]>

  /** Carries out a proposal. */
  apply(proposal: string): Promise<Proposal>

  /** Takes back a proposal that was applied. */
  revert(proposal: string): Promise<Proposal>

  /**
   * Destroys a message, a session, a fact or an entity, permanently and everywhere: revisions, folds, what was learned from it
   * alone, vectors, index, blobs, stored responses, free pages. A tombstone stays, so that the log can still be verified.
   *
   * @example
   * import { openMemory } from 'daybook'
   * await using memory = await openMemory(':memory:')
   * const ada = memory.scope('acme/ada')
   * await ada.remember({ subject: 'Ada', predicate: 'lives_in', object: 'Oslo' })
   * const receipt = await ada.forget({ subject: 'Ada' })
   * console.log(receipt.id)
   *
   * @throws {MemoryError} `log/has-forks` if other sessions share the history of a session, unless `forks: true`.
   */
  forget(what: ForgetTarget, options?: ForgetOptions): Promise<ForgetReceipt>

  /** Exports an archive of this scope and all scopes below, or of one session with those it was forked from. */
  export(options?: ScopeExportOptions): AsyncIterable<string>

  /**
   * Imports a file, a folder or a zip that another tool exported: ChatGPT, Claude, Claude Code, OpenAI, the AI SDK, LangChain,
   * LangSmith, LangGraph, Mem0 or the reference MCP memory server. Importing twice changes nothing; branches become forks; none of
   * it is trusted. What could not be imported is in the report.
   */
  import(path: string, options?: ImportOptions): Promise<ImportReport>

  /** Stores conversations and facts from elsewhere with the trust of imports: what `import` does with what it has read. */
  importBatch(batch: ImportBatch, options?: ImportBatchOptions): Promise<ImportedBatch>
}
