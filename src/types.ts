/** Every type of the surface, for those who want to name one. Nothing here exists at run time. */
export type { Calibration } from './domain/calibration.ts'
export type { JSONObject, JSONValue } from './domain/json.ts'
export type { Moment } from './domain/moment.ts'
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
export type { Warning } from './domain/warning.ts'

export type { Change } from './dialects/change.ts'
export type { DialectForms } from './dialects/forms.ts'
export type { LintOptions } from './dialects/options.ts'
export type { Violation } from './dialects/violation.ts'

export type { AppendOptions, Appended } from './log/append.ts'
export type { ClearOptions } from './log/clear.ts'
export type { ForkOptions } from './log/fork.ts'
export type { HistoryOptions } from './log/history.ts'
export type { Revision } from './log/revise.ts'
export type { SessionStats } from './log/stats.ts'
export type { SessionSummary, SessionsOptions, SessionsPage } from './log/sessions.ts'
export type { Damage } from './log/verify.ts'
export type { WatchOptions } from './log/watch.ts'

export type { VerifyReport } from './memory/memory.ts'
export type { AsOf, SessionOptions } from './memory/session.ts'
export type { ReportedUsage } from './memory/usage.ts'

export type { CalibrationStore } from './ports/calibration-store.ts'
export type { Clock } from './ports/clock.ts'
export type * from './ports/log-store.ts'
export type { Store } from './ports/store.ts'
export type { Tokenizer } from './ports/tokenizer.ts'
