import type { ScopeExportOptions } from '../api/archive.ts'
import type { ImportBatch, ImportBatchOptions, ImportOptions, ImportReport, ImportedBatch } from '../api/imports.ts'
import { copyPlain } from '../domain/copy-plain.ts'
import type { Entity } from '../domain/entity.ts'
import type { ForgetReceipt } from '../domain/forget-receipt.ts'
import type { Fact, FactVersion, RememberedFact } from '../domain/fact.ts'
import { type NewFact, type SourceInput, parseFacts, parsePredicate, parseSource } from '../domain/new-fact.ts'
import type { Proposal } from '../domain/proposal.ts'
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
} from '../api/graph.ts'
import type {
  EndorseAllOptions,
  EndorseOptions,
  FactOrigin,
  FactHistoryOptions,
  FactOptions,
  FactsOptions,
  ForgetOptions,
  ForgetTarget,
  RememberOptions,
  RestoreFactOptions,
  RetractOptions,
  RollBackReceipt,
} from '../api/facts.ts'
import type { SessionOptions, SessionsOptions, SessionsPage } from '../api/sessions.ts'
import { sessions } from '../log/sessions.ts'
import { exportFrom } from './archive.ts'
import type * as Calls from './knowledge-calls.ts'
import { parseSuggestion } from '../knowledge/parse-suggestion.ts'
import type { RecallOptions, Recalled } from '../api/recall.ts'
import { archiveOperations } from '../surface/archive.ts'
import { importFileCall, importOperations } from '../surface/imports.ts'
import { factOperations } from '../surface/facts.ts'
import { graphOperations } from '../surface/graph.ts'
import { proposalOperations } from '../surface/proposals.ts'
import { checkSession, sessionOperations } from '../surface/sessions.ts'
import { checkCall } from '../surface/check-call.ts'
import type { Wiring } from './wiring.ts'
import { redactFacts } from '../log/redact.ts'
import { recallIn } from './recall.ts'
import { LocalRetention, type Retention } from './retention.ts'
import { LocalSession, type Session } from './session.ts'

/** Loaded when somebody asks what is known: most programs that append never do. */
function lib(): Promise<typeof Calls> {
  return import('./knowledge-calls.ts')
}

/** A handle to what one owner has: its sessions and what is known. Makes no call by itself. */
export type Scope = Pick<LocalScope, keyof LocalScope>

/** The one that works on a store of its own; `daybook/client` has the one behind a server. */
export class LocalScope {
  /** The slash path it was opened with, as `acme/ada`. */
  readonly name: string
  /** How long messages are kept. */
  readonly retention: Retention
  readonly #parts: Wiring

  /** @internal Use `memory.scope(path)`. */
  constructor(parts: Wiring, name: string) {
    this.#parts = parts
    this.name = name
    this.retention = new LocalRetention(parts, name)
  }

  /** A handle to one conversation. It exists from its first append. */
  session(id: string, options: SessionOptions = {}): Session {
    checkSession(id, options)
    return new LocalSession(this.#parts, { scope: this.name, session: id }, options)
  }

  /**
   * Finds messages, folds and facts of this scope and its ancestors that may answer a question, best first, each with its
   * reasons and its source. Works without a model; no string is a bad question.
   */
  async recall(query: string, options: RecallOptions = {}): Promise<Recalled> {
    return recallIn(this.#parts, this.name, query, options)
  }

  /** A page of sessions, newest first. */
  async sessions(options: SessionsOptions = {}): Promise<SessionsPage> {
    checkCall(sessionOperations.list, options)
    return sessions(this.#use().store.log, this.name, options)
  }

  /**
   * Stores facts, all or none. The same fact again is one more source for it; where a predicate holds one value, a new one
   * closes the one before. Each answer says what happened.
   *
   * @throws {MemoryError} `knowledge/conflict` if `expect` is not what is there.
   */
  remember(fact: NewFact, options?: RememberOptions): Promise<readonly [RememberedFact]>
  remember(facts: readonly NewFact[], options?: RememberOptions): Promise<readonly RememberedFact[]>
  async remember(given: NewFact | readonly NewFact[], options: RememberOptions = {}): Promise<never> {
    checkCall(factOperations.remember, given, options)
    const parsed = parseFacts(given)
    const copied = copyPlain(Array.isArray(given) ? given : [given]) as readonly NewFact[]
    return this.#write(async ({ knowledge, redactor }) => {
      const facts = redactor.fact === undefined ? parsed : parseFacts(await redactFacts(redactor, copied))
      return (await lib()).remember(knowledge, this.name, facts, options.channel)
    }) as Promise<never>
  }

  /**
   * Brings in what others exported: a file, a folder or a zip of ChatGPT, Claude, Claude Code, OpenAI, the AI SDK, LangChain,
   * LangSmith, LangGraph, Mem0 or the reference MCP memory server. Again is no change; branches become forks; nothing of it is
   * trusted. What could not come in is in the report, never an error.
   */
  async import(path: string, options: ImportOptions = {}): Promise<ImportReport> {
    checkCall(importFileCall, path, options)
    const { messageBytesMax } = this.#use().log
    const { importFile } = await import('../archive/import-file.ts')
    return importFile({ messageBytesMax, importBatch: (batch, dry) => this.importBatch(batch, dry) }, path, options)
  }

  /** Stores conversations and facts from elsewhere with the trust of imports: what `import` does with what it has read. */
  async importBatch(batch: ImportBatch, options: ImportBatchOptions = {}): Promise<ImportedBatch> {
    checkCall(importOperations.batch, batch, options)
    return (await import('./import-batch.ts')).importBatch(this.#use(), this.name, batch, options)
  }

  /** Facts of this scope and its ancestors, newest first: those that are true and trusted, unless asked for others. */
  async facts(options: FactsOptions = {}): Promise<readonly Fact[]> {
    checkCall(factOperations.list, options)
    const { knowledge, store } = this.#use()
    const read = options.stale === true ? { ...knowledge, store: store.stale.knowledge } : knowledge
    return (await lib()).facts(read, this.name, options)
  }

  /** One fact, whatever its state. */
  async fact(id: string, options: FactOptions = {}): Promise<Fact | undefined> {
    checkCall(factOperations.get, id, options)
    return (await lib()).factById(this.#use().knowledge, this.name, id, options)
  }

  /** The versions of a fact, oldest first. */
  async factHistory(id: string, options: FactHistoryOptions = {}): Promise<readonly FactVersion[]> {
    checkCall(factOperations.history, id, options)
    return (await lib()).factHistory(this.#use().knowledge, this.name, id, options)
  }

  /** The version of what is known here: `asOf: { version }` reads it again later. Rises with every change. */
  async knowledgeVersion(): Promise<number> {
    return (await lib()).knowledgeVersion(this.#use().knowledge, this.name)
  }

  /** What is known around entities, relations both ways. */
  async graph(options: GraphOptions): Promise<Graph> {
    checkCall(graphOperations.around, options)
    return (await lib()).graph(this.#use().knowledge, this.name, options)
  }

  /** The shortest way from one entity to another. */
  async path(from: string, to: string, options: PathOptions = {}): Promise<GraphPath> {
    checkCall(graphOperations.path, from, to, options)
    return (await lib()).path(this.#use().knowledge, this.name, { from, to }, options)
  }

  /** Takes a fact back. It stays readable, and what it had closed is open again. */
  async retract(id: string, reason?: string, options: RetractOptions = {}): Promise<Fact> {
    checkCall(factOperations.retract, id, reason, options)
    return this.#write(async ({ knowledge }) => (await lib()).retract(knowledge, this.name, { id, reason }, options))
  }

  /** Brings a retracted fact back. */
  async restore(id: string, options: RestoreFactOptions = {}): Promise<Fact> {
    checkCall(factOperations.restore, id, options)
    return this.#write(async ({ knowledge }) => (await lib()).restoreFact(knowledge, this.name, id, options.expect))
  }

  /** Stands for a fact: raises its trust, takes it out of quarantine, applies it if it was disputed. */
  async endorse(id: string, options: EndorseOptions = {}): Promise<Fact> {
    checkCall(factOperations.endorse, id, options)
    return this.#write(async ({ knowledge }) => (await lib()).endorse(knowledge, this.name, id, options))
  }

  /**
   * Endorses all facts of this scope that were learned from a source: `{ session: 'imported' }`, or `{ channel: 'import' }` for
   * facts that came with an import. One call for what was quarantined together.
   */
  async endorseAll(source: FactOrigin, options: EndorseAllOptions = {}): Promise<readonly Fact[]> {
    checkCall(factOperations.endorseAll, source, options)
    return this.#write(async ({ knowledge }) => (await lib()).endorseAll(knowledge, this.name, source, options))
  }

  /** Takes back everything that a message or a fact taught, also through other facts. */
  async rollBack(source: SourceInput): Promise<RollBackReceipt> {
    const parsed = parseSource('roll back', 'source', source)
    return this.#write(async ({ knowledge }) => (await lib()).rollBack(knowledge, this.name, parsed))
  }

  /** Says whether a predicate holds one value at a time, here and deeper. */
  async predicate(name: string, options: PredicateOptions): Promise<Predicate> {
    checkCall(graphOperations.predicate, name, options)
    const parsed = parsePredicate('declare a predicate', 'name', name)
    return this.#write(async ({ knowledge }) =>
      (await lib()).declarePredicate(knowledge, this.name, parsed, options.single),
    )
  }

  /** Predicates that were declared here or above, and those built in. */
  async predicates(): Promise<readonly Predicate[]> {
    return (await lib()).predicates(this.#use().knowledge, this.name)
  }

  /** Entities of this scope and its ancestors, by name. */
  async entities(options: EntitiesOptions = {}): Promise<readonly Entity[]> {
    checkCall(graphOperations.entities, options)
    return (await lib()).entities(this.#use().knowledge, this.name, options)
  }

  /** One entity, by its name or an alias. */
  async entity(name: string, options: EntityOptions = {}): Promise<Entity | undefined> {
    checkCall(graphOperations.entity, name, options)
    return (await lib()).entityByName(this.#use().knowledge, this.name, name, options)
  }

  /** Shows what merging or splitting entities, or joining or closing facts, would change. Nothing is changed. */
  async propose(suggestion: Suggestion, reason = 'somebody asked'): Promise<Proposal> {
    checkCall(proposalOperations.propose, suggestion, reason)
    const checked = parseSuggestion('propose', suggestion)
    return this.#write(async ({ knowledge }) => (await lib()).propose(knowledge, this.name, checked, reason))
  }

  /** Looks for duplicates, for two names of one thing and for stale facts, and proposes what to do. Nothing is changed. */
  async consolidate(options: ConsolidateOptions = {}): Promise<readonly Proposal[]> {
    checkCall(proposalOperations.consolidate, options)
    return this.#write(async ({ knowledge }) => (await lib()).consolidate(knowledge, this.name, options))
  }

  /** What was proposed, oldest first. */
  async proposals(options: ProposalsOptions = {}): Promise<readonly Proposal[]> {
    checkCall(proposalOperations.list, options)
    return (await lib()).proposals(this.#use().knowledge, this.name, options)
  }

  /** Makes a proposal true. */
  async apply(proposal: string): Promise<Proposal> {
    checkCall(proposalOperations.apply, proposal)
    return this.#write(async ({ knowledge }) => (await lib()).applyProposal(knowledge, this.name, proposal))
  }

  /** Takes an applied proposal back. */
  async revert(proposal: string): Promise<Proposal> {
    checkCall(proposalOperations.revert, proposal)
    return this.#write(async ({ knowledge }) => (await lib()).revertProposal(knowledge, this.name, proposal))
  }

  /**
   * Destroys a message, a session, a fact or an entity, for ever and everywhere: revisions, folds, what was learned from it
   * alone, vectors, index, blobs, kept answers, free pages. What stays is a tombstone, so that the log can still be verified.
   *
   * @throws {MemoryError} `log/has-forks` if other sessions share the history of a session, unless `forks: true`.
   */
  async forget(what: ForgetTarget, options: ForgetOptions = {}): Promise<ForgetReceipt> {
    checkCall(factOperations.forget, what, options)
    return this.#write(async (parts) =>
      (await import('../forgetting/forget.ts')).forget(parts, this.name, what, options),
    )
  }

  /** An archive of this scope and all below, or of one session with those it was forked from. */
  export(options: ScopeExportOptions = {}): AsyncIterable<string> {
    checkCall(archiveOperations.export, options)
    return exportFrom(this.#parts, { ...options, scope: this.name })
  }

  /** Begins a write, so that closing waits for it. */
  #write<Result>(write: (parts: Wiring) => Promise<Result>): Promise<Result> {
    const parts = this.#use()
    return parts.work.begin(write(parts)).finally(() => parts.posting.soon(this.name))
  }

  #use(): Wiring {
    this.#parts.work.checkOpen()
    return this.#parts
  }
}
