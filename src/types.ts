/** Every type of the surface, for those who want to name one. Nothing here exists at run time. */
export type { EmbeddingOptions, EncryptionOptions, LearnOptions, SummaryOptions } from './api/open-memory.ts'
export type { Redactor } from './api/redactor.ts'
export type { MemoryEvent } from './api/events.ts'
export type { Damage, ForgottenReport, MemoryStats, Sample, Schema, VerifyReport } from './api/upkeep.ts'
export type {
  FactMapping,
  ImportBatch,
  ImportLimits,
  ImportLocation,
  ImportOptions,
  ImportReport,
  ImportedBatch,
  MappedValue,
  Mapping,
  Skipped,
} from './api/imports.ts'
export type { ImportFormat } from './domain/import-format.ts'
export type { SkipReason } from './domain/skip-reason.ts'
export type { Action } from './domain/action.ts'
export type { Calibration } from './domain/calibration.ts'
export type { Entity } from './domain/entity.ts'
export type { Fact, FactObject, FactSource, FactState, FactVersion, RememberedFact } from './domain/fact.ts'
export type { JSONObject, JSONValue } from './domain/json.ts'
export type { Moment } from './domain/moment.ts'
export type { EntityInput, NewFact, SourceInput } from './domain/new-fact.ts'
export type { NewMediaSource, NewPart, NewToolCall, NewToolResult } from './domain/new-message.ts'
export type {
  AgentCallPart,
  AudioPart,
  DataPart,
  FilePart,
  ImagePart,
  MediaSource,
  ProviderFields,
  ReasoningPart,
  TextPart,
  ToolCallPart,
  ToolOutput,
  ToolResultPart,
} from './domain/part.ts'
export type { Plan, PlanStep } from './domain/plan.ts'
export type { Proposal, ProposalKind, ProposalStatus } from './domain/proposal.ts'
export type { Channel, SourceChannel, Trust } from './domain/trust.ts'
export type { Warning } from './domain/warning.ts'

export type { Job, JobState, JobSubject } from './domain/job.ts'

export type { Fold, Identifier, SeqRange } from './domain/fold.ts'

export type {
  CompactOptions,
  CompactOutcome,
  CompactionReceipt,
  CompactionsOptions,
  Context,
  ContextCache,
  ContextOptions,
  ContextRecall,
  ContextReceipt,
  ListedCompaction,
  Pins,
  ReceiptLine,
  ReopenOptions,
  ReopenedPage,
  StepReport,
} from './api/contexts.ts'
export type {
  AutoContextNumbers,
  BalancedNumbers,
  ManagedNumbers,
  Policy,
  RollingNumbers,
  StageStep,
} from './api/policy.ts'

export type { RepairChange } from './dialects/change.ts'
export type { DialectForms } from './dialects/forms.ts'
export type { LintOptions } from './dialects/options.ts'
export type { Violation } from './dialects/violation.ts'

export type { ForgetReceipt } from './domain/forget-receipt.ts'
export type { RetentionPolicy } from './domain/retention.ts'
export type {
  EndorseAllOptions,
  EndorseOptions,
  FactOptions,
  FactsOptions,
  ForgetOptions,
  ForgetTarget,
  RememberOptions,
  RetractOptions,
  RollBackReceipt,
} from './api/facts.ts'
export type {
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
} from './api/graph.ts'

export type { AppendOptions, Appended, AsOf, HistoryOptions, Revision, WatchOptions } from './api/messages.ts'
export type {
  ClearOptions,
  Cleared,
  ForkOptions,
  ForkOrigin,
  ReportedUsage,
  SessionOptions,
  SessionStats,
  SessionSummary,
  SessionsOptions,
  SessionsPage,
} from './api/sessions.ts'

export type {
  ContextDocument,
  DocumentOptions,
  HistoryEntry,
  KnownEnvironment,
  SystemState,
  TokenUsage,
} from './api/document.ts'
export type { KeySource } from './domain/key-source.ts'
export type { Jobs, JobsOptions, Settled } from './api/jobs.ts'
export type { AuditOptions, NewKeyOptions } from './api/keys.ts'

export type {
  DropReason,
  Dropped,
  RecallItem,
  RecallOptions,
  RecallSource,
  Recalled,
  Signals,
  Why,
} from './api/recall.ts'

export type * from './ports/archive-store.ts'
export type * from './api/state.ts'
export type { TaskStatus } from './domain/task-status.ts'

export type { CalibrationStore } from './ports/calibration-store.ts'
export type { ErasureStore } from './ports/erasure-store.ts'
export type { RetentionStore } from './ports/retention-store.ts'
export type { Clock } from './ports/clock.ts'
export type * from './ports/job-store.ts'
export type * from './ports/learn-store.ts'
export type * from './ports/knowledge-store.ts'
export type * from './ports/log-store.ts'
export type * from './ports/recall-store.ts'
export type * from './ports/state-store.ts'
export type { AppliedMigration, Store } from './ports/store.ts'
export type { Tokenizer } from './ports/tokenizer.ts'

export type { LongTermOptions } from './tools/long-term-memory.ts'
export type { Tool } from './tools/tool.ts'
export type { Embedder, EmbedAnswer, EmbedRequest } from './ports/embedder.ts'
export type { EmbedderInput } from './providers/embedder.ts'
export type { RecallStore } from './ports/recall-store.ts'
export type { VectorStore } from './ports/vector-store.ts'
