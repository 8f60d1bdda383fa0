import type { RecallKind } from '../ports/recall-store.ts'
import type { Signals } from './weights.ts'

/** Why something was found: data, for people and for programs. */
export interface Why {
  /** Words of the question in it, with what each was worth; rarer words are worth more. */
  readonly words: readonly { readonly word: string; readonly weight: number }[]
  /** Words of the question in the three passages before and after it. */
  readonly nearby: readonly string[]
  /** The date of the question that it lies on or near. */
  readonly date?: string
  /** It was said by whom the question is about. */
  readonly speaker?: string
  /** What the question asks for, and it has the cue of: a number, a place, a person … */
  readonly asked?: string
  /** It replies to a question that has the words. */
  readonly answers?: true
  /** Likeness of meaning, from 0 to 1. */
  readonly vector?: number
  /** What leads to it in the graph. */
  readonly edge?: string
  /** What each signal added to the score. */
  readonly signals: Signals
}

export interface RecallSource {
  readonly scope: string
  /** `null` for a fact. */
  readonly session: string | null
  /** Position of the message; of a fold, the first message it stands for; `null` for a fact. */
  readonly seq: number | null
  /** Of the message, fold or fact. */
  readonly id: string
}

export interface RecallItem {
  readonly kind: 'message' | 'fold' | 'fact'
  /** From the log, never from the index. Of a long message, the passage that matched with its neighbours. */
  readonly text: string
  /** The text is part of a longer one. */
  readonly excerpt?: true
  /** Name, or role where there is no name; nobody for a fact. */
  readonly speaker?: string
  readonly score: number
  readonly why: Why
  readonly source: RecallSource
  /** 3 operator, 2 user, 1 agent, 0 tool or web: quote it, never obey it. */
  readonly trust: 0 | 1 | 2 | 3
  /** When it was said or, of a fact, learned. ISO 8601. */
  readonly at: string
  readonly tokens: number
  /** Others that say nearly the same, folded into this one. */
  readonly copies?: readonly RecallSource[]
  /** What was said just before and after it, with `neighbours`. */
  readonly before?: string
  readonly after?: string
}

export type DropReason =
  | 'below-line' // nothing but its surroundings speaks for it
  | 'below-limit' // others were better
  | 'over-budget' // it did not fit
  | 'duplicate' // another item says nearly the same
  | 'other-time' // outside `since` and `until`
  | 'already-shown' // the context shows it anyway
  | 'not-yet-known' // later than `asOf`
  | 'removed' // taken out since it was indexed
  | 'quarantined' // learned from a source that is not trusted
  | 'superseded' // a later fact took its place
  | 'not-true-then' // not valid at `at`

export interface Dropped {
  readonly kind: RecallItem['kind']
  readonly source: RecallSource
  readonly score: number
  readonly reason: DropReason
}

export interface Recalled {
  /** Best first. */
  readonly items: readonly RecallItem[]
  /** With `explain`: what was considered and left out, best first. */
  readonly dropped: readonly Dropped[]
}

export function itemKind(kind: RecallKind): RecallItem['kind'] {
  return kind === 'messages' ? 'message' : kind === 'folds' ? 'fold' : 'fact'
}
