/**
 * The policies that come with Daybook.
 *
 * - `recency` never compacts: each context has all system messages and the newest messages that fit
 * - `autoContext` takes six steps, cheapest first, one change at a time; starts at 100 messages or 98,304 tokens
 * - `rolling` keeps 30 entries of more than 50 and summarises the others; over 100,000 tokens, the older half
 * - `managed` starts at 150,000 tokens: shortens tool results, summarises, then drops the oldest
 * - `balanced` goes at 80 % of the budget down to 50 %, cheapest steps first, so that the cached prefix holds in between
 */
export type PolicyName = 'recency' | 'autoContext' | 'rolling' | 'managed' | 'balanced'

/** A number of tokens, or a share of the budget. */
export type Mark = { readonly tokens: number } | { readonly ratio: number }

/** How large a window may be. */
export interface Bounds {
  /** In tokens, or as a share of the budget. */
  readonly mark?: Mark
  /** In messages, whole or shortened, and records of tool work. Summaries and what was dropped do not count. */
  readonly entries?: number
}

/** When compaction starts. */
export interface HighBounds extends Bounds {
  /** Start when a bound is reached, instead of when it is passed. @default false */
  readonly reached?: boolean
}

/** When to compact, how far, and by which stages in which order. */
export interface Policy {
  /** What receipts call it. */
  readonly name: string
  /** Compaction starts when the window has passed one of these; without any, never by itself. */
  readonly high: HighBounds
  /** Compaction ends when the window is within all of these; without any, after the last step. */
  readonly low: Bounds
  /** The stages, in the order they run. */
  readonly steps: readonly StageStep[]
  /** Whether later steps run once one has changed something: until the low mark is reached, or not this time. */
  readonly advance: 'until-low' | 'first-change'
  /** The share of the room in which messages with `metadata.important: true` stay although they are old, newest first; 0 for none. @default 0.2 */
  readonly importance?: number
}

/** One step of a policy: a stage and its options. */
export type StageStep = OffloadStep | MergeStep | TruncateResultsStep | SummariseStep | DropStep

/** A step that puts summaries in place of old rounds, of a range, or of older summaries. */
export type SummariseStep = SummariseRoundsStep | SummariseRangeStep | SummariseFoldsStep

/** The part of a window that a stage works on. A message with its tool calls and results is in it whole or not at all. */
export interface Region {
  /** Where to look: before the newest final reply, before the newest user message, after it, or everywhere. @default 'everywhere' */
  readonly where?: 'before-answer' | 'before-newest-user' | 'current-round' | 'everywhere'
  /** Entries at the end that stay as they are. Summaries and what was dropped do not count. @default 0 */
  readonly keepLast?: number
  /** The newest rounds of the assistant that stay as they are: its message with all results, and what follows. @default 0 */
  readonly keepRounds?: number
  /** The newest tokens that stay as they are, at most half of the target. @default 0 */
  readonly keepTokens?: number
  /** Only what was said this many milliseconds before the newest entry. @default 0 */
  readonly olderThanMs?: number
}

/** Who a summary speaks as. */
export type Teller = 'user' | 'assistant'

/** How long a summary may be. */
export interface SummarySizeOptions {
  /** At most this many tokens for one summary. @default 1000 */
  readonly tokensMax?: number
  /** At most this share of what it replaces. @default 0.3 */
  readonly ratio?: number
  /** Who the summary speaks as. @default 'user' */
  readonly role?: Teller
  /** The share of the summary for identifiers that must stay visible: what the user said, and errors. 0 for none. @default 0.5 */
  readonly vitalShare?: number
  /** Write two messages: what the user asked as the user, all else as the assistant. @default false */
  readonly split?: boolean
}

/** Options of the stage that replaces large payloads by a stub with a preview. */
export interface OffloadOptions extends Region {
  /** A message with more than this many characters or bytes of payload loses the largest ones. @default 5120 */
  readonly overCharacters?: number
  /** How many characters of the payload a stub shows: two thirds from its start, one third from its end. @default 200 */
  readonly previewCharacters?: number
  /** Characters for identifiers that must stay visible, in each stub; 0 for none. @default 240 */
  readonly vitalCharacters?: number
  /** Let a model write a short form in place of the first and last lines. @default false */
  readonly retell?: boolean
}

/** Replaces large payloads by a stub with a preview. */
export interface OffloadStep extends OffloadOptions {
  /** The name of the stage. */
  readonly stage: 'offload'
}

/** Options of the stage that replaces long runs of old tool calls by a record. */
export interface MergeOptions extends Region {
  /** Only runs of more messages than this. @default 6 */
  readonly runOver?: number
  /** Only runs of at least this many tokens. @default 5000 */
  readonly tokensMin?: number
  /** At most this many runs at a time, the oldest first. @default 5 */
  readonly runsMax?: number
  /** At most this many tokens for a record, and never more than half of what it replaces. @default 1500 */
  readonly tokensMax?: number
  /** Who the record speaks as. @default 'user' */
  readonly role?: Teller
  /** Characters for identifiers that must stay visible; 0 for none. @default 600 */
  readonly vitalCharacters?: number
}

/** Replaces long runs of old tool calls by a record. */
export interface MergeStep extends MergeOptions {
  /** The name of the stage. */
  readonly stage: 'merge'
}

/** Options of the stage that cuts long tool results to their start and end. */
export interface TruncateResultsOptions extends Region {
  /** At most this many tokens for all results of one message. @default no limit */
  readonly tokensMax?: number
  /** At most this many characters for one result. @default no limit */
  readonly charactersMax?: number
  /** Do nothing if it would save fewer tokens than this. @default 0 */
  readonly savesMin?: number
  /** Characters for errors that must stay visible, in each result; 0 for none. @default 240 */
  readonly vitalCharacters?: number
}

/** Cuts long tool results to their start and end. */
export interface TruncateResultsStep extends TruncateResultsOptions {
  /** The name of the stage. */
  readonly stage: 'truncate-results'
}

/** Options of the stage that writes one summary for each round: a user message and all that followed up to the answer. */
export interface SummariseRounds extends Region, SummarySizeOptions {
  /** What becomes one summary. */
  readonly unit: 'round'
  /** Keep the user's message as it is and summarise only what followed. @default false */
  readonly keepUser?: boolean
  /** Only rounds of at least this many tokens, without the user's message. @default 0 */
  readonly tokensMin?: number
  /** Only rounds that had something between the request and the reply. @default false */
  readonly between?: boolean
  /** All rounds, or the oldest until the target is met. @default 'all' */
  readonly take?: 'all' | 'to-target'
}

/** Writes one summary for each round. */
export interface SummariseRoundsStep extends SummariseRounds {
  /** The name of the stage. */
  readonly stage: 'summarise'
}

/** Options of the stage that writes one summary for everything that was not summarised yet. */
export interface SummariseRange extends Region, SummarySizeOptions {
  /** What becomes one summary. */
  readonly unit: 'range'
  /** Keep user messages as they are. @default false */
  readonly keepUser?: boolean
  /** Everything, the older half of the entries, or the oldest until the target is met. @default 'all' */
  readonly take?: 'all' | 'half' | 'to-target'
  /** Do nothing in a window of no more entries than this. Summaries and what was dropped do not count. @default 0 */
  readonly entriesOver?: number
  /** Do nothing if it would save fewer tokens than this. @default 0 */
  readonly savesMin?: number
}

/** Writes one summary for everything that was not summarised yet. */
export interface SummariseRangeStep extends SummariseRange {
  /** The name of the stage. */
  readonly stage: 'summarise'
}

/**
 * Options of the stage that summarises summaries. What is up to the last summary (summaries, records, and the user messages
 * between them) has a budget of its own; over it, the older part becomes fewer summaries of the next level.
 */
export interface SummariseFolds extends Region {
  /** What becomes one summary. */
  readonly unit: 'folds'
  /** At most this many tokens for all summaries, and never more than three fifths of the target. @default 4000 */
  readonly summaryTokensMax?: number
  /** At least this many summaries of one level become one of the next. @default 3 */
  readonly foldsMin?: number
  /** At most this many summaries of one level become one of the next. @default 6 */
  readonly foldsMax?: number
  /** Who the summary speaks as. @default 'user' */
  readonly role?: Teller
  /** At most this many tokens for one summary. @default 2000 */
  readonly tokensMax?: number
  /** At most this share of what it replaces: summaries are dense, so less of them can go. @default 0.5 */
  readonly ratio?: number
  /** The share of the summary for identifiers that must stay visible. 0 for none. @default 0.8 */
  readonly vitalShare?: number
}

/** Summarises summaries. */
export interface SummariseFoldsStep extends SummariseFolds {
  /** The name of the stage. */
  readonly stage: 'summarise'
}

/** Options of the stage that takes the oldest messages out of the window. */
export interface DropOptions extends Region {
  /** The oldest turns until the target is met, or whatever does not fit when packing from the newest backwards. @default 'contiguous' */
  readonly mode?: 'contiguous' | 'skip'
}

/** Takes the oldest messages out of the window and shows one line for all of them. Summaries go only above the high mark. */
export interface DropStep extends DropOptions {
  /** The name of the stage. */
  readonly stage: 'drop'
}

/** The numbers of the policy `autoContext`. */
export interface AutoContextNumbers {
  /** Start at this many messages. @default 100 */
  readonly messages?: number
  /** The window of the model, in tokens. @default 131072 */
  readonly tokens?: number
  /** Start at this share of `tokens`. @default 0.75 */
  readonly ratio?: number
  /** The newest messages that the first two steps leave alone. @default 50 */
  readonly keepLast?: number
  /** What is left of the current round in the last step. @default 0.3 */
  readonly roundRatio?: number
}

/** The numbers of the policy `rolling`. */
export interface RollingNumbers {
  /** The newest entries that stay. @default 30 */
  readonly keep?: number
  /** Start over this many entries. @default 50 */
  readonly at?: number
  /** Start over this many tokens. @default 100000 */
  readonly tokens?: number
}

/** The numbers of the policy `managed`. */
export interface ManagedNumbers {
  /** Start over this many tokens. @default 150000 */
  readonly tokens?: number
  /** The share of `tokens` that a step must save to run. @default 0.4 */
  readonly saving?: number
  /** What the tool results of a message may cost. @default 1200 */
  readonly resultTokens?: number
  /** What a summary may cost. @default 6000 */
  readonly summaryTokens?: number
}

/** The numbers of the policy `balanced`. */
export interface BalancedNumbers {
  /** Start at this share of the budget. @default 0.8 */
  readonly high?: number
  /** Come down to this share of the budget. @default 0.5 */
  readonly low?: number
}
