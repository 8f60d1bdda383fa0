import type { Role } from '../../domain/message.ts'
import type { LearnCursor } from '../../ports/learn-store.ts'
import type { SoundClaim } from './sound-claims.ts'

/** What kind of thing a name stands for, where the sentence says so. */
export type NameType = 'person' | 'place' | 'organization'

/** Something that a message says. Nobody has decided yet what becomes of it. */
export interface LearnedClaim {
  /** Who or what it is about; `user` for the one who speaks, unless the message has a name. */
  readonly subject: string
  /** In lower case with underscores, such as `lives_in`; `note` for free text. */
  readonly predicate: string
  readonly object: string
  readonly subjectType?: NameType
  readonly objectType?: NameType
  /** ISO 8601, UTC: since when, and until when, it holds. */
  readonly validFrom?: string
  readonly validTo?: string
  /** It held, and no longer holds, since `validTo` or whenever it was said: ends what is known, and says nothing else. */
  readonly closes?: true
  /** It took the place of what was so before: ends other values, also where several can be true at once. */
  readonly replaces?: true
  /** Exactly as it stands in the message. */
  readonly quote: string
  /** From 0 to 1. */
  readonly confidence: number
}

/** A claim and the message it came from. The store stamps its trust from the role. */
export interface Learned extends LearnedClaim {
  readonly source: { readonly id: string; readonly seq: number; readonly role: Role; readonly at: string }
}

/** A message as learners see it: own words only. */
export interface Material {
  readonly id: string
  readonly seq: number
  readonly role: Role
  readonly imported?: true
  readonly at: string
  /** Who speaks, if the message says so. */
  readonly name?: string
  /** One for each part; a quote is looked for in each alone. */
  readonly texts: readonly string[]
}

/** What became of some messages in a learner's hands. */
export interface Study {
  readonly learned: readonly Learned[]
  /** What is worth telling about it: which learner served, and why not another. */
  readonly remarks: readonly string[]
}

export interface LearnContext {
  readonly scope: string
  readonly signal: AbortSignal
  /** The last messages before those to learn from, oldest first: what they may refer to. */
  readonly before: () => Promise<readonly Material[]>
  /** Nobody will ask again: whoever can must serve now. */
  readonly isLastTry: boolean
}

/** Turns messages into claims. Throws if it cannot for now, and this is not the last try. */
export type Learner = (materials: readonly Material[], context: LearnContext) => Promise<Study>

/** What a stretch of a session taught, and the step of the cursor that goes with it. */
export interface Lesson {
  readonly scope: string
  readonly session: string
  /** The session's key in the store. */
  readonly key: number
  /** The first place of its own; what is before, a fork shares. */
  readonly ownFrom: number
  /** The version that was learned from before; 0 if none. */
  readonly from: number
  readonly to: LearnCursor
  /** Messages that were learned from before and have been revised: what they taught then is to be rolled back first. */
  readonly revised: readonly string[]
  readonly learned: readonly SoundClaim[]
}

/**
 * Stores a lesson and moves the session's cursor from `from` to `to`, both in one transaction. Answers false, and stores
 * nothing, if the cursor is no longer at `from`.
 */
export type Teach = (lesson: Lesson) => Promise<boolean>
