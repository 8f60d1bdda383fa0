/** Every type of the surface, for those who want to name one. Nothing here exists at run time. */
export type * from './api/archive.ts'
export type * from './api/blocks.ts'
export type * from './api/changes.ts'
export type * from './api/contexts.ts'
export type * from './api/document.ts'
export type * from './api/events.ts'
export type * from './api/facts.ts'
export type * from './api/graph.ts'
export type * from './api/imports.ts'
export type * from './api/jobs.ts'
export type * from './api/keys.ts'
export type * from './api/memory.ts'
export type * from './api/messages.ts'
export type * from './api/open-memory.ts'
export type * from './api/policy.ts'
export type * from './api/postgres.ts'
export type * from './api/recall.ts'
export type * from './api/redactor.ts'
export type * from './api/scope.ts'
export type * from './api/session.ts'
export type * from './api/sessions.ts'
export type * from './api/state.ts'
export type * from './api/streams.ts'
export type * from './api/upkeep.ts'

export type { ImportFormat } from './domain/import-format.ts'
export type { SkipReason } from './domain/skip-reason.ts'
export type { Action } from './domain/action.ts'
export type { Calibration } from './domain/calibration.ts'
export type { Entity } from './domain/entity.ts'
export type { Fact, FactObject, FactSource, FactState, FactVersion, RememberedFact } from './domain/fact.ts'
export type { JSONObject, JSONValue } from './domain/json.ts'
export type { Incomplete } from './domain/message.ts'
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
export type { RepairChange } from './dialects/change.ts'
export type { DialectForms } from './dialects/forms.ts'
export type { LintOptions } from './dialects/options.ts'
export type { Violation } from './dialects/violation.ts'
export type * from './api/turn.ts'
export type { ForgetReceipt } from './domain/forget-receipt.ts'
export type { RetentionPolicy } from './domain/retention.ts'
export type { KeySource } from './domain/key-source.ts'
export type { TaskStatus } from './domain/task-status.ts'
export type { Clock } from './ports/clock.ts'
export type { Tokenizer } from './ports/tokenizer.ts'
export type { LongTermMemory, LongTermOptions } from './api/long-term-memory.ts'
export type { Tool } from './api/tool.ts'
export type { Embedder, EmbedAnswer, EmbedRequest } from './ports/embedder.ts'
export type { EmbedderInput } from './providers/embedder.ts'
