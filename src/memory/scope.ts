import type { Scope } from '../api/scope.ts'
import type { ScopeExportOptions } from '../api/archive.ts'
import type { ImportBatch, ImportBatchOptions, ImportOptions, ImportReport, ImportedBatch } from '../api/imports.ts'
import type { Blocks } from '../api/blocks.ts'
import { LocalBlocks } from '../blocks/local-blocks.ts'
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
  Retention,
  RetractOptions,
  RollBackReceipt,
} from '../api/facts.ts'
import type { SessionOptions, SessionsOptions, SessionsPage } from '../api/sessions.ts'
import { blobs } from '../log/blobs.ts'
import { sessions } from '../log/sessions.ts'
import { exportFrom } from '../archive/archive-calls.ts'
import type * as Calls from './knowledge-calls.ts'
import { parseSuggestion } from '../knowledge/parse-suggestion.ts'
import type { RecallOptions, Recalled } from '../api/recall.ts'
import type { RecordCalls, Records } from '../api/records.ts'
import { localRecordCalls } from '../records/local-record-calls.ts'
import { recordsOf } from '../records/records-of.ts'
import { archiveOperations } from '../surface/archive.ts'
import { importFileCall, importOperations } from '../surface/imports.ts'
import { factOperations } from '../surface/facts.ts'
import { graphOperations } from '../surface/graph.ts'
import { messageOperations } from '../surface/messages.ts'
import { proposalOperations } from '../surface/proposals.ts'
import { checkSession, sessionOperations } from '../surface/sessions.ts'
import { checkCall } from '../surface/check-call.ts'
import type { Wiring } from './wiring.ts'
import { redactFacts } from '../log/redact.ts'
import { watchScope } from '../watching/watch-scope.ts'
import { recallIn } from './recall.ts'
import { LocalRetention } from '../forgetting/local-retention.ts'
import type { Session } from '../api/session.ts'
import { LocalSession } from './session.ts'

/** Loaded when somebody asks what is known: most programs that append never do. */
function lib(): Promise<typeof Calls> {
  return import('./knowledge-calls.ts')
}

/** The one that works on a store of its own; `daybook/client` has the one behind a server. */
export class LocalScope implements Scope {
  readonly name: string
  readonly retention: Retention
  readonly blocks: Blocks
  readonly recordCalls: RecordCalls
  readonly watch: Scope['watch'] = (options = {}) => watchScope(this.#use(), this.name, options)
  readonly #parts: Wiring

  /** @internal Use `memory.scope(path)`. */
  constructor(parts: Wiring, name: string) {
    this.#parts = parts
    this.name = name
    this.retention = new LocalRetention(parts, name)
    this.blocks = new LocalBlocks(parts, { scope: name, session: '' })
    this.recordCalls = localRecordCalls(parts, name)
  }

  records(collection: string): Records {
    return recordsOf(this.recordCalls, collection)
  }

  session(id: string, options: SessionOptions = {}): Session {
    checkSession(id, options)
    return new LocalSession(this.#parts, { scope: this.name, session: id }, options)
  }

  async recall(query: string, options: RecallOptions = {}): Promise<Recalled> {
    return recallIn(this.#parts, this.name, query, options)
  }

  async sessions(options: SessionsOptions = {}): Promise<SessionsPage> {
    checkCall(sessionOperations.list, options)
    return this.#read(({ store }) => sessions(store, this.name, options))
  }

  async blob(hash: string): Promise<Uint8Array | undefined> {
    checkCall(messageOperations.blob, hash)
    return this.#read(async ({ store }) => (await blobs(store.log, this.name, [hash])).get(hash))
  }

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

  async import(path: string, options: ImportOptions = {}): Promise<ImportReport> {
    checkCall(importFileCall, path, options)
    const { messageBytesMax } = this.#use().log
    const { importFile } = await import('../archive/import-file.ts')
    return importFile({ messageBytesMax, importBatch: (batch, dry) => this.importBatch(batch, dry) }, path, options)
  }

  async importBatch(batch: ImportBatch, options: ImportBatchOptions = {}): Promise<ImportedBatch> {
    checkCall(importOperations.batch, batch, options)
    return (await import('../archive/import-batch.ts')).importBatch(this.#use(), this.name, batch, options)
  }

  async facts(options: FactsOptions = {}): Promise<readonly Fact[]> {
    checkCall(factOperations.list, options)
    return this.#read(async ({ knowledge, store }) => {
      const read = options.stale === true ? { ...knowledge, store: store.stale.knowledge } : knowledge
      return (await lib()).facts(read, this.name, options)
    })
  }

  async fact(id: string, options: FactOptions = {}): Promise<Fact | undefined> {
    checkCall(factOperations.get, id, options)
    return this.#read(async ({ knowledge }) => (await lib()).factById(knowledge, this.name, id, options))
  }

  async factHistory(id: string, options: FactHistoryOptions = {}): Promise<readonly FactVersion[]> {
    checkCall(factOperations.history, id, options)
    return this.#read(async ({ knowledge }) => (await lib()).factHistory(knowledge, this.name, id, options))
  }

  async knowledgeVersion(): Promise<number> {
    return this.#read(async ({ knowledge }) => (await lib()).knowledgeVersion(knowledge, this.name))
  }

  async graph(options: GraphOptions): Promise<Graph> {
    checkCall(graphOperations.around, options)
    return this.#read(async ({ knowledge }) => (await lib()).graph(knowledge, this.name, options))
  }

  async path(from: string, to: string, options: PathOptions = {}): Promise<GraphPath> {
    checkCall(graphOperations.path, from, to, options)
    return this.#read(async ({ knowledge }) => (await lib()).path(knowledge, this.name, { from, to }, options))
  }

  async retract(id: string, reason?: string, options: RetractOptions = {}): Promise<Fact> {
    checkCall(factOperations.retract, id, reason, options)
    return this.#write(async ({ knowledge }) => (await lib()).retract(knowledge, this.name, { id, reason }, options))
  }

  async restore(id: string, options: RestoreFactOptions = {}): Promise<Fact> {
    checkCall(factOperations.restore, id, options)
    return this.#write(async ({ knowledge }) => (await lib()).restoreFact(knowledge, this.name, id, options.expect))
  }

  async endorse(id: string, options: EndorseOptions = {}): Promise<Fact> {
    checkCall(factOperations.endorse, id, options)
    return this.#write(async ({ knowledge }) => (await lib()).endorse(knowledge, this.name, id, options))
  }

  async endorseAll(source: FactOrigin, options: EndorseAllOptions = {}): Promise<readonly Fact[]> {
    checkCall(factOperations.endorseAll, source, options)
    return this.#write(async ({ knowledge }) => (await lib()).endorseAll(knowledge, this.name, source, options))
  }

  async rollBack(source: SourceInput): Promise<RollBackReceipt> {
    const parsed = parseSource('roll back', 'source', source)
    return this.#write(async ({ knowledge }) => (await lib()).rollBack(knowledge, this.name, parsed))
  }

  async predicate(name: string, options: PredicateOptions): Promise<Predicate> {
    checkCall(graphOperations.predicate, name, options)
    const parsed = parsePredicate('declare a predicate', 'name', name)
    return this.#write(async ({ knowledge }) =>
      (await lib()).declarePredicate(knowledge, this.name, parsed, options.single),
    )
  }

  async predicates(): Promise<readonly Predicate[]> {
    return this.#read(async ({ knowledge }) => (await lib()).predicates(knowledge, this.name))
  }

  async entities(options: EntitiesOptions = {}): Promise<readonly Entity[]> {
    checkCall(graphOperations.entities, options)
    return this.#read(async ({ knowledge }) => (await lib()).entities(knowledge, this.name, options))
  }

  async entity(name: string, options: EntityOptions = {}): Promise<Entity | undefined> {
    checkCall(graphOperations.entity, name, options)
    return this.#read(async ({ knowledge }) => (await lib()).entityByName(knowledge, this.name, name, options))
  }

  async propose(suggestion: Suggestion, reason = 'somebody asked'): Promise<Proposal> {
    checkCall(proposalOperations.propose, suggestion, reason)
    const checked = parseSuggestion('propose', suggestion)
    return this.#write(async ({ knowledge }) => (await lib()).propose(knowledge, this.name, checked, reason))
  }

  async consolidate(options: ConsolidateOptions = {}): Promise<readonly Proposal[]> {
    checkCall(proposalOperations.consolidate, options)
    return this.#write(async ({ knowledge }) => (await lib()).consolidate(knowledge, this.name, options))
  }

  async proposals(options: ProposalsOptions = {}): Promise<readonly Proposal[]> {
    checkCall(proposalOperations.list, options)
    return this.#read(async ({ knowledge }) => (await lib()).proposals(knowledge, this.name, options))
  }

  async apply(proposal: string): Promise<Proposal> {
    checkCall(proposalOperations.apply, proposal)
    return this.#write(async ({ knowledge }) => (await lib()).applyProposal(knowledge, this.name, proposal))
  }

  async revert(proposal: string): Promise<Proposal> {
    checkCall(proposalOperations.revert, proposal)
    return this.#write(async ({ knowledge }) => (await lib()).revertProposal(knowledge, this.name, proposal))
  }

  async forget(what: ForgetTarget, options: ForgetOptions = {}): Promise<ForgetReceipt> {
    checkCall(factOperations.forget, what, options)
    return this.#write(async (parts) =>
      (await import('../forgetting/forget.ts')).forget(parts, this.name, what, options),
    )
  }

  export(options: ScopeExportOptions = {}): AsyncIterable<string> {
    checkCall(archiveOperations.export, options)
    return exportFrom(this.#parts, { ...options, scope: this.name })
  }

  /** Begins a write, so that closing waits for it. */
  #write<Result>(write: (parts: Wiring) => Promise<Result>): Promise<Result> {
    const parts = this.#use()
    return parts.work.begin(write(parts)).finally(() => parts.posting.soon(this.name))
  }

  /** Does a read: what it asks the store for shares a transaction, and sees one moment. Closing waits for it. */
  #read<Result>(read: (parts: Wiring) => Promise<Result>): Promise<Result> {
    const parts = this.#use()
    return parts.work.begin(parts.store.together(() => read(parts)))
  }

  #use(): Wiring {
    this.#parts.work.checkOpen()
    return this.#parts
  }
}
