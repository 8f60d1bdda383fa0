import type { ForgetReceipt } from '../domain/forget-receipt.ts'
import type { FactObject, FactState } from '../domain/fact.ts'
import type { Role } from '../domain/message.ts'
import type { Moment } from '../domain/moment.ts'
import type { SourceInput } from '../domain/new-fact.ts'
import type { RetentionPolicy } from '../domain/retention.ts'
import type { Channel, SourceChannel } from '../domain/trust.ts'

/** The moment that facts are read at. */
export interface FactOptions {
  /** What was known at this moment: a time, or a version of the scope's knowledge. @default now */
  readonly asOf?: Moment
  /** What was true at this time. @default now, or the time of `asOf` */
  readonly at?: Date | string
}

/** Which facts to read. */
export interface FactsOptions extends FactOptions {
  /** Only facts about this subject: a name or an alias. */
  readonly subject?: string
  /** Only facts with this predicate. */
  readonly predicate?: string
  /** Only facts with this object. */
  readonly object?: FactObject
  /** Only facts with this tag. */
  readonly tag?: string
  /** Include what was true before or will be true later. @default false */
  readonly includeClosed?: boolean
  /** Only facts in these states. @default those that are true */
  readonly state?: FactState | readonly FactState[]
  /** Only facts learned from a message of this role. */
  readonly role?: Role
  /** Only facts learned from this message, session, fact or channel. */
  readonly source?: FactOrigin
  /** Which facts come first, by when they were first learned. @default 'newest' */
  readonly order?: 'newest' | 'oldest'
  /** At most this many facts. @default 100 */
  readonly limit?: number
  /** The id of the last fact of the page before. */
  readonly after?: string
  /** Accept a result that may be slightly out of date, from a replica if there is one. @default false */
  readonly stale?: boolean
}

/** Where facts came from: a message, another fact, all messages of a session, or all that was stored through a channel. */
export type FactOrigin = SourceInput | { readonly session: string } | { readonly channel: SourceChannel }

/** Which versions of a fact to read. */
export interface FactHistoryOptions {
  /** At most this many versions, the newest. @default 100 */
  readonly limit?: number
}

/** How facts are stored. */
export interface RememberOptions {
  /** Who the facts come from. With sources, a fact is trusted like the least trusted of them and this. @default 'user' */
  readonly channel?: Channel
}

/** How a fact is restored. */
export interface RestoreFactOptions {
  /** Only if the fact still has this revision. */
  readonly expect?: number
}

/** How a fact is retracted. */
export interface RetractOptions extends RestoreFactOptions {
  /** Who retracts it. Only somebody equally trusted can state it again. @default 'user' */
  readonly channel?: Channel
}

/** How a fact is endorsed. */
export interface EndorseOptions extends RestoreFactOptions {
  /** Who endorses it. Only a person takes a fact out of quarantine. @default 'user' */
  readonly channel?: Channel
  /** Why it is endorsed. */
  readonly reason?: string
}

/** How all facts of a source are endorsed. */
export type EndorseAllOptions = Omit<EndorseOptions, 'expect'>

/**
 * What to forget. A message may be named with its session, if several sessions have a message with this id. A block belongs to the
 * scope, or to the session that is named with it. `everything` is everything in the scope and in the scopes below it.
 */
export type ForgetTarget =
  | { readonly message: string; readonly session?: string }
  | { readonly block: string; readonly session?: string }
  | { readonly session: string }
  | { readonly subject: string }
  | { readonly fact: string }
  | { readonly records: string }
  | { readonly everything: true }

/** How to forget. */
export interface ForgetOptions {
  /** Why it is forgotten. Stays in the tombstone, so it should have no content in it. @default 'asked' */
  readonly reason?: string
  /** Forget the sessions that were forked from it too. Without it, a session with forks is not forgotten. @default false */
  readonly forks?: boolean
  /** Forget the messages that the facts were learned from too. @default false */
  readonly messages?: boolean
  /** Only report what would be forgotten. @default false */
  readonly dryRun?: boolean
}

/** How a retention policy is set. */
export interface RetentionOptions {
  /** Only report what would be forgotten. @default false */
  readonly dryRun?: boolean
}

/** The retention policy that applies to a scope. */
export interface EffectiveRetention {
  /** The policy. */
  readonly policy: RetentionPolicy
  /** The scope that set it: this one or an ancestor. */
  readonly from: string
}

/** What is older or more than a retention policy allows. */
export interface Overdue {
  /** How many sessions have something to forget. */
  readonly sessions: number
  /** How many messages will be forgotten. */
  readonly messages: number
  /** With the option `dryRun`: what each session would lose. */
  readonly receipts: readonly ForgetReceipt[]
}

/** What setting a retention policy did. */
export interface RetentionSet {
  /** The policy that was set; null if it was removed. */
  readonly policy: RetentionPolicy | null
  /** What the policy no longer allows. It is forgotten in the background, or with the option `dryRun` only counted. */
  readonly overdue: Overdue
}

/** The facts that a roll back took back in one scope. */
export interface RollBackLosses {
  /** Facts that had no other source. */
  readonly retracted: readonly string[]
  /** Facts that lost this source and have another. */
  readonly kept: readonly string[]
}

/** The facts that a roll back took back in a scope below. */
export interface DeeperRollBackLosses extends RollBackLosses {
  /** The scope below. */
  readonly scope: string
}

/** What a roll back took back. */
export interface RollBackReceipt extends RollBackLosses {
  /** The same in scopes below that had learned from the source. */
  readonly deeper: readonly DeeperRollBackLosses[]
}

/** How long a scope keeps its messages. */
export interface Retention {
  /** Reads the policy in effect: its own, or the one of the nearest ancestor that has one; `undefined` if there is none. */
  get(): Promise<EffectiveRetention | undefined>
  /**
   * Sets the policy of this scope and of those below that have none of their own; `null` removes it. With `dryRun`, nothing is
   * changed, and the result says what would be forgotten.
   */
  set(policy: RetentionPolicy | null, options?: RetentionOptions): Promise<RetentionSet>
}
