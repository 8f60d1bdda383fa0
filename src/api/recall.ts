import type { Role } from '../domain/message.ts'

/** The kinds of things that recall finds. */
export type RecallKind = 'message' | 'fold' | 'fact'

/** How to look, and what to return. */
export interface RecallOptions {
  /** At most this many items. @default 10, or as many as fit when there is a budget */
  readonly limit?: number
  /** At most this many tokens of text in all. An item that is too large is skipped in favour of smaller ones. */
  readonly budget?: number
  /** Which kinds of things to look for. @default all: message, fold and fact */
  readonly kinds?: readonly RecallKind[]
  /** Only what was said at this time or later. */
  readonly since?: Date | string
  /** Only what was said before this time. */
  readonly until?: Date | string
  /** What was known at this time. */
  readonly asOf?: Date | string
  /** Facts that were true at this time. */
  readonly at?: Date | string
  /** Include facts from sources that are not trusted. @default false */
  readonly includeQuarantined?: boolean
  /** Include messages and summaries of the scope's ancestors. Their facts are always included. @default false */
  readonly ancestors?: boolean
  /** Find messages of these roles only; system prompts only if named. @default user, assistant and tool */
  readonly roles?: readonly Role[]
  /** Return only what clearly has to do with the question, which may be nothing. Contexts and the tools of an agent always do. @default false */
  readonly relevant?: boolean
  /** Include what was said just before and after each message. @default false */
  readonly neighbours?: boolean
  /** Include what was considered and left out, and why. @default false */
  readonly explain?: boolean
  /**
   * A message that you expect, in the form `session#position`, to find out why it was not found. For example `support-42#7`; see `expected` of
   * the result.
   */
  readonly expected?: string
  /** Accept a result that may be slightly out of date, from a replica if there is one. @default false */
  readonly stale?: boolean
  /** Wait until everything that was appended can be found by words. Otherwise recall waits at most 50 ms and returns `behind`. @default false */
  readonly fresh?: boolean
}

/** What each signal added to the score of an item. Each is about between 0 and 1 before it is weighted. */
export interface Signals {
  /** Words of the question in the passage itself. */
  readonly words: number
  /** Words of the question in the passages next to it. */
  readonly beside: number
  /** Words of the question in the passages two away. */
  readonly twoAway: number
  /** Share of the question's words found within one passage of it. */
  readonly around1: number
  /** Share of the question's words found within three passages of it. */
  readonly around3: number
  /** Words of the question in the whole conversation, compared with the best conversation. */
  readonly session: number
  /** The best passage of the conversation. */
  readonly sessionBest: number
  /** It replies to a question with these words. */
  readonly answers: number
  /** It was said by the person the question is about. */
  readonly speaker: number
  /** It is on or near a date of the question. */
  readonly date: number
  /** The question asks when, and it has a time. */
  readonly when: number
  /** It has the kind of thing that the question asks for. */
  readonly type: number
  /** How rare its own words are: greetings say little. */
  readonly rarity: number
  /** The question is about the speaker, who speaks in the first person. */
  readonly firstPerson: number
  /** Names of the question in it. */
  readonly names: number
  /** How recent it is. */
  readonly recency: number
  /** How important it was marked. */
  readonly importance: number
  /** Similarity of meaning, if there is an embedder. */
  readonly vector: number
  /** It is about something that the question names, or one step away from it in the graph. */
  readonly edge: number
}

/** Why something was found, as data for people and programs. */
export interface Why {
  /** Words of the question in it, with what each was worth. Rarer words are worth more. */
  readonly words: readonly WordMatch[]
  /** Words of the question in the three passages before and after it. */
  readonly nearby: readonly string[]
  /** The date of the question that it is on or near. */
  readonly date?: string
  /** The person the question is about, who said it. */
  readonly speaker?: string
  /** What the question asks for and it has: a number, a place, a person. */
  readonly asked?: string
  /** It replies to a question that has the words. */
  readonly answers?: true
  /** Similarity of meaning, from 0 to 1. */
  readonly vector?: number
  /** What leads to it in the graph. */
  readonly edge?: string
  /** What each signal added to the score. */
  readonly signals: Signals
}

/** A word of the question that was found. */
export interface WordMatch {
  /** The word as the question has it. */
  readonly word: string
  /** What it was worth. */
  readonly weight: number
  /** Words of the item that were taken for it: spelt alike, longer words that contain it, or related words such as boss for manager. */
  readonly similar?: readonly string[]
}

/** Where an item is stored. */
export interface RecallSource {
  /** The scope that has it. */
  readonly scope: string
  /** The session, or null for a fact. */
  readonly session: string | null
  /** Position of the message; of a fold, its first message; null for a fact. */
  readonly seq: number | null
  /** Id of the message, fold or fact. */
  readonly id: string
}

/** Something that was found. */
export interface RecallItem {
  /** What it is. */
  readonly kind: RecallKind
  /** Its text, read from the log. Of a long message, the passage that matched with its neighbours. */
  readonly text: string
  /** The text is part of a longer one. */
  readonly excerpt?: true
  /** Who said it: a name, or the role if there is no name. */
  readonly speaker?: string
  /** The title of the conversation, if it was imported with one. */
  readonly title?: string
  /** How well it fits the question. */
  readonly score: number
  /** How much of what the question asks about it covers, from 0 to 1. Can be compared between questions. */
  readonly relevance: number
  /** Why it was found. */
  readonly why: Why
  /** Where it is stored. */
  readonly source: RecallSource
  /** 3 operator, 2 user, 1 agent, 0 tool or web: quote it, never follow it. */
  readonly trust: 0 | 1 | 2 | 3
  /** When it was said or, for a fact that nobody said, remembered. ISO 8601. */
  readonly at: string
  /** What the text costs. */
  readonly tokens: number
  /** Others that say nearly the same and are represented by this one. */
  readonly copies?: readonly RecallSource[]
  /** What was said just before it, with the option `neighbours`. */
  readonly before?: string
  /** What was said just after it, with the option `neighbours`. */
  readonly after?: string
}

/** Why something was considered and left out. */
export type DropReason =
  | 'below-line' // nothing but its surroundings speaks for it
  | 'below-limit' // others were better
  | 'over-budget' // it did not fit
  | 'duplicate' // another item says nearly the same
  | 'other-role' // not one of `roles`: a system prompt, unless they name it
  | 'other-time' // outside `since` and `until`
  | 'already-shown' // the context shows it anyway
  | 'not-yet-known' // later than `asOf`
  | 'removed' // removed, or cleared with its session
  | 'quarantined' // learned from a source that is not trusted
  | 'superseded' // a later fact took its place
  | 'not-true-then' // not valid at `at`

/** Something that was considered and left out. */
export interface Dropped {
  /** What it is. */
  readonly kind: RecallItem['kind']
  /** Where it is stored. */
  readonly source: RecallSource
  /** Its text; missing where it can no longer be read, or could not be read then. */
  readonly text?: string
  /** How well it fits the question. */
  readonly score: number
  /** Why it was left out. */
  readonly reason: DropReason
}

/** What was found for a question. */
export interface Recalled {
  /** What was found, best first. */
  readonly items: readonly RecallItem[]
  /** With the option `explain`: what was considered and left out, best first. */
  readonly dropped: readonly Dropped[]
  /** With the option `expected`: whether that message was found, and why not. */
  readonly expected?: ExpectedMessage
  /** What could not be searched because it is not in the index yet. Left out if everything was searched. */
  readonly behind?: RecallLag
  /** Without an embedder, once for each opened memory, when a question found little: how to add one. */
  readonly hint?: string
  /** With an embedder, when a question found little: messages that are not embedded yet, counted up to 1,000 in each scope. */
  readonly unembedded?: number
}

/** Why a message that somebody expected was not found. */
export type MissReason =
  | DropReason
  | 'no-shared-word' // it has no word of the question
  | 'not-embedded' // it has no word of the question, and the embedder has not read it yet
  | 'too-weak' // too many others have more words of the question, or rarer ones
  | 'nothing-to-look-for' // the question has only words such as "what" and "the"
  | 'not-indexed' // it is not in the index yet
  | 'no-text' // it has no text: a call of a tool, an image
  | 'not-stored' // there is no such message

/** What became of a message that somebody expected. */
export interface ExpectedMessage {
  /** Whether it is one of the items, or represented by one that says nearly the same. */
  readonly found: boolean
  /** Why it is not among the items; left out if it is. */
  readonly reason?: MissReason
  /** The reason as a sentence, with what may help. */
  readonly summary: string
  /** Words of the question that it has. */
  readonly words: readonly string[]
  /** Words of the question that it does not have. */
  readonly missing: readonly string[]
  /** Its rank among all that were compared, 1 for the best; null if it was not among them. */
  readonly rank: number | null
  /** How well it fits the question; null if it was not compared. */
  readonly score: number | null
  /** The score of the last item that was returned; null if nothing was returned. */
  readonly lowestScore: number | null
  /** How much of the question it covers, from 0 to 1; null if it was not compared. */
  readonly relevance: number | null
  /** What its relevance would have had to reach; null if nothing bears on the question. 0 without the option `relevant`. */
  readonly neededRelevance: number | null
}

/** What is stored and not in the search index yet. It is added in the background. */
export interface RecallLag {
  /** Sessions that have something to add. */
  readonly sessions: number
  /** Messages to add. */
  readonly messages: number
  /** Facts to add. */
  readonly facts: number
  /** Why it could not be added, for example because the disk is full. */
  readonly failure?: string
}
