import type { DialectForms } from '../dialects/forms.ts'
import type { Dialect } from '../domain/dialect.ts'
import type { Fold, Identifier, SeqRange } from '../domain/fold.ts'
import type { Draft, Message } from '../domain/message.ts'
import type { Trust } from '../domain/trust.ts'
import type { Moment } from '../domain/moment.ts'
import type { Plan } from '../domain/plan.ts'
import type { Policy, PolicyName } from './policy.ts'
import type { RecallItem, RecallOptions } from './recall.ts'

/** What must be in every context, by message, tag or tool. */
export interface Pins {
  /** Ids of messages that are in every context. */
  readonly messages?: readonly string[]
  /** Tags whose messages are in every context. @default ['pinned'] */
  readonly tags?: readonly string[]
  /** Tools whose calls and results are in every context. */
  readonly tools?: readonly string[]
  /** Tools whose calls and results are never shortened or summarised; when they are old, they may leave the window. */
  readonly exemptTools?: readonly string[]
}

/** What to recall into a context. */
export interface ContextRecall extends Pick<
  RecallOptions,
  'kinds' | 'limit' | 'since' | 'until' | 'ancestors' | 'roles'
> {
  /** The question. @default what the user said last */
  readonly query?: string
  /** At most this many tokens of recalled text. @default a tenth of the context's budget, at most 1,000; of a small budget a quarter */
  readonly budget?: number
  /** How many milliseconds a context waits for it. @default 2,000 */
  readonly deadlineMs?: number
  /** A block that was recalled before, for an earlier step of the same turn: it is shown again, and nothing is looked for. @default none */
  readonly text?: string
}

/** A limit in bytes. */
export interface ByteLimit {
  /** The dialect whose JSON is measured. */
  readonly dialect: Dialect
  /** At most this many bytes. */
  readonly max: number
}

/** What a context is built for. */
export interface ContextOptions {
  /** The largest number of input tokens for the whole request. @default what the window of the model leaves when there is room for a reply */
  readonly budget?: number
  /** The name of the model, which decides how tokens are counted and how large a context may be. */
  readonly model?: string
  /** Instructions that come first and are not stored with the messages: they are code, and change with each deploy. @default none */
  readonly system?: string
  /** How many tokens of the budget to leave for tools and the reply. @default 0 */
  readonly reserve?: number
  /**
   * How to compact the window when it is too large: a name, or a policy of your own.
   *
   * - `recency` never compacts: each context has all system messages and the newest messages that fit
   * - `autoContext` takes six steps, cheapest first, one change at a time; starts at 100 messages or 98,304 tokens
   * - `rolling` keeps 30 entries of more than 50 and summarises the others; over 100,000 tokens, the older half
   * - `managed` starts at 150,000 tokens: shortens tool results, summarises, then drops the oldest
   * - `balanced` goes at 80 % of the budget down to 50 %, cheapest steps first, so that the cached prefix holds in between
   *
   * @default 'balanced'
   */
  readonly policy?: PolicyName | Policy
  /** What must be in every context. */
  readonly pins?: Pins
  /** The state of the agent's plan. It comes last and is not stored with the messages; `false` for none. @default the `plan` of the session's state */
  readonly plan?: Plan | false
  /** The blocks of the session and its scopes after the system text: `frozen` as they were when the session began, `false` for none. @default true */
  readonly blocks?: boolean | 'frozen'
  /** Add what is remembered elsewhere about what the user said last, as quoted data that is not stored with the messages. @default false */
  readonly recall?: boolean | ContextRecall
  /** A limit in bytes for the messages in one dialect. @default none */
  readonly bytes?: ByteLimit
  /** Fail if a message would be shown in part because the whole does not fit. @default false */
  readonly strict?: boolean
  /** Store what is folded; with `false` nothing is stored and no model is called. @default true */
  readonly compact?: boolean
  /** After a provider returned "too long": compact first in any case, and fill only three quarters of the budget. @default false */
  readonly shrink?: boolean
  /** Rebuild the context that the session would have had at this moment: nothing is stored, and nothing can be recalled. @default now */
  readonly asOf?: Moment
}

/** How to write a context in a dialect. */
export interface ContextFormOptions {
  /** Put Anthropic's `cache_control` at the breakpoints. @default false */
  readonly cacheMarks?: boolean
}

/** The messages to send to a model for one call. */
export interface Context {
  /** The messages. */
  readonly messages: readonly Draft[]
  /** What they cost at most, in tokens. */
  readonly tokens: number
  /** What the context is made of, and what was left out. */
  readonly receipt: ContextReceipt
  /** What a provider's prompt cache can reuse of the previous context. */
  readonly cache: ContextCache
  /** What was recalled into it, with reasons and sources. */
  readonly recalled: readonly RecallItem[]
  /** It was rebuilt for an earlier moment, from the log: what was sent then may differ. */
  readonly rebuilt?: true
  /** The messages in a provider's dialect. */
  as<To extends Dialect>(dialect: To, options?: ContextFormOptions): DialectForms[To]
}

/** Why a message is where it is in the context. */
export type PlacementReason = 'system' | 'pinned' | 'important' | 'newest-turn' | 'recent' | 'fold'

/**
 * Why a message is not in the context: the newest ones filled the budget, or a conversation cannot begin with it.
 * `plan-over-budget` is the plan, which is not a message.
 */
export type Omission = 'over-budget' | 'unsafe-start' | 'plan-over-budget'

/** Why a fold represents messages: a policy compacted them, or the whole message is too large for this budget and is shown in part. */
export type FoldReason = 'compacted' | 'too-large'

/** A message that is in the context. */
export interface KeptLine {
  /** It is in the context. */
  readonly type: 'kept'
  /** Its position in the log. */
  readonly seq: number
  /** Its id. */
  readonly id: string
  /** Why it is where it is. */
  readonly as: PlacementReason
  /** What it costs. */
  readonly tokens: number
}

/** Messages that a fold represents. */
export interface FoldedLine {
  /** A fold represents them. */
  readonly type: 'folded'
  /** Their positions in the log. */
  readonly sources: readonly SeqRange[]
  /** The id of the fold, for `reopen`. */
  readonly fold: string
  /** Why they are folded. */
  readonly why: FoldReason
  /** The trust of the least trusted thing that it hides. */
  readonly trust: Trust
  /** What the fold costs. */
  readonly tokens: number
}

/** Messages that are not in the context. */
export interface LeftOutLine {
  /** They are not in the context. */
  readonly type: 'left-out'
  /** Their positions in the log. */
  readonly sources: readonly SeqRange[]
  /** The id with which `reopen` reads them. A plan that did not fit has none. */
  readonly id?: string
  /** Why they were left out. */
  readonly why: Omission
  /** What they would cost. */
  readonly tokens: number
}

/** What happened with an entry of the window, or with a stretch of messages that were left out. */
export type ReceiptLine = KeptLine | FoldedLine | LeftOutLine

/** What happened with a block. */
export interface BlockLine {
  /** Its name. */
  readonly name: string
  /** The scope that has it. */
  readonly scope: string
  /** The session that has it; missing if it belongs to the scope. */
  readonly session?: string
  /** Its version. */
  readonly version: number
  /** Whether it is in the context; if not, the budget did not hold it beside what must be there. */
  readonly shown: boolean
  /** What it costs. */
  readonly tokens: number
}

/** What a context costs, by kind. */
export interface ContextTokens {
  /** What the request costs at most, as far as this context goes. */
  readonly total: number
  /** The budget that was given. */
  readonly budget: number
  /** What was left for tools and the reply. */
  readonly reserve: number
  /** System messages. */
  readonly system: number
  /** Blocks. */
  readonly blocks: number
  /** Pinned and important messages. */
  readonly pinned: number
  /** Folds. */
  readonly folds: number
  /** Other messages. */
  readonly messages: number
  /** Recalled text. */
  readonly recalled: number
  /** The plan. */
  readonly plan: number
  /** What is none of these: repairs (which may also save some), the start of the reply, and the margin of an estimate. */
  readonly framing: number
  /** Whether the counts are the model's own. */
  readonly exact: boolean
}

/** What a context is made of, in tokens and identifiers. Every message of the session is in exactly one line. */
export interface ContextReceipt {
  /** What happened with each entry of the window. */
  readonly lines: readonly ReceiptLine[]
  /** The blocks, in the order of the context. */
  readonly blocks: readonly BlockLine[]
  /** What the context costs, by kind. */
  readonly tokens: ContextTokens
  /** The size of the messages in the dialect whose bytes were limited; 0 if none were. */
  readonly bytes: number
  /** What had to be repaired so that every provider accepts it. */
  readonly repairs: readonly string[]
}

/** What a provider's prompt cache can reuse of the previous context. */
export interface ContextCache {
  /** Tokens of the leading messages that are equal to those of the previous context. */
  readonly equalTokens: number
  /** Tokens of all messages. */
  readonly totalTokens: number
  /** Index of the first message that differs from the previous context; null if none does. */
  readonly firstDifference: number | null
  /** Indexes of the messages after which a cache breakpoint pays, at most 4. */
  readonly breakpoints: readonly number[]
}

/** How to compact a window. */
export interface CompactOptions {
  /**
   * How to compact the window: a name, or a policy of your own. The names are explained at `policy` of `ContextOptions`.
   *
   * @default 'balanced'
   */
  readonly policy?: PolicyName | Policy
  /** The number of tokens that the percentages of the policy refer to. @default 128,000 */
  readonly budget?: number
  /** Compact even if the window is not large enough yet. @default false */
  readonly force?: boolean
  /** Only return the receipt. No model is called. @default false */
  readonly dryRun?: boolean
  /** What must be in every context. */
  readonly pins?: Pins
}

/** Which compactions to list. */
export interface CompactionsOptions {
  /** At most this many of the newest. @default 100 */
  readonly limit?: number
}

/** One compaction of a session. */
export interface ListedCompaction {
  /** Its number, for `undo`. */
  readonly compaction: number
  /** When it was stored. */
  readonly at: string
  /** The name of the policy. */
  readonly policy: string
  /** `session` for a compaction of the window, `context` for what a context folded for its own kind of call. */
  readonly of: 'session' | 'context'
  /** Of a context: its budget without the reserve. */
  readonly room?: number
  /** The last message that it covers. */
  readonly through: number
  /** The window before it. */
  readonly before: WindowSize
  /** The window after it. */
  readonly after: WindowSize
  /** Ids of its folds, for `reopen`. */
  readonly folds: readonly string[]
  /** Whether it was undone. */
  readonly undone: boolean
}

/** Which part of a fold to read. */
export interface ReopenOptions {
  /** How many characters of the text to skip. @default 0 */
  readonly offset?: number
  /** At most this many characters. @default 8,000 */
  readonly limit?: number
}

/** The size of a window. */
export interface WindowSize {
  /** How many messages and folds. */
  readonly entries: number
  /** What they cost. */
  readonly tokens: number
}

/** What calls of a model cost, as far as the provider reported it. */
export interface StepModelUsage {
  /** Tokens that were sent. */
  readonly inputTokens?: number
  /** Tokens that came back. */
  readonly outputTokens?: number
}

/** What one step of a compaction did, or why it did nothing. */
export interface StepReport {
  /** The name of the stage. */
  readonly stage: string
  /** How many folds it made. */
  readonly folds: number
  /** What the window cost before it. */
  readonly tokensBefore: number
  /** What the window cost after it. */
  readonly tokensAfter: number
  /** Why it did nothing; left out if it folded something. */
  readonly skipped?: 'under-target' | 'nothing-to-do' | 'already-changed' | 'all-refused'
  /** Folds that were not smaller than what they would hide, or touched what they must not. */
  readonly refused: number
  /** How often a model was called. */
  readonly modelCalls: number
  /** Why the words of the model were not used, where they were not. */
  readonly modelFailures: readonly string[]
  /** What those calls cost, as far as the provider reported it. */
  readonly modelUsage?: StepModelUsage
}

/** A fold as a receipt lists it. */
export interface FoldSummary extends Omit<Fold, 'standIn' | 'ledger'> {
  /** How many identifiers its ledger has. */
  readonly identifiers: number
}

/** What a compaction kept and hid. */
export interface CompactionReceipt {
  /** Its number, for `undo`; null for a dry run. */
  readonly compaction: number | null
  /** The name of the policy. */
  readonly policy: string
  /** The last message that it covers. */
  readonly through: number
  /** The window before it. */
  readonly before: WindowSize
  /** The window after it. */
  readonly after: WindowSize
  /** The folds of the window. */
  readonly folds: readonly FoldSummary[]
  /** The messages that stay. */
  readonly kept: readonly SeqRange[]
  /** Identifiers that could be seen before and cannot be seen now. `reopen` shows each of them. */
  readonly hidden: readonly Identifier[]
  /** What each step did. */
  readonly steps: readonly StepReport[]
  /** Whether the window came down to the low mark; if not, it is as far as the policy's steps go. */
  readonly reached: boolean
}

/** How a compaction ended. Only `compacted` changed anything. */
export type CompactOutcome =
  | { readonly type: 'compacted' | 'dry-run'; readonly receipt: CompactionReceipt }
  | { readonly type: 'cannot-reduce'; readonly steps: readonly StepReport[] }
  | { readonly type: 'not-needed' | 'empty' }

/** A message that has text on a page. */
export type TouchedMessage = Pick<Message, 'id' | 'seq' | 'role' | 'at' | 'imported'>

/** A page of what a fold hides. */
export interface ReopenedPage {
  /** The id of the fold. */
  readonly fold: string
  /** The original messages that end on this page. One that is longer than a page is only in the text. */
  readonly messages: readonly Message[]
  /** Which messages have text on this page, and when they were said. */
  readonly touches: readonly TouchedMessage[]
  /** The page itself: the text of the messages one after the other, cut by characters. */
  readonly text: string
  /** How many characters the whole text has. */
  readonly total: number
  /** The `offset` of the next page; null on the last. */
  readonly next: number | null
}
