import { defined } from '../../../domain/defined.ts'
import type { LearnedClaim } from '../lesson.ts'
import type { Taker } from './take.ts'

/** What a pattern found: names that take their places in a claim. */
export interface PatternMatch {
  /** Named in the sentence; absent where the speaker is meant. */
  readonly subject?: string
  readonly object: string
  readonly groups: Readonly<Record<string, string | undefined>>
}

/** What a pattern makes of it. Without a subject it is about the speaker. */
export type PatternClaim = Pick<LearnedClaim, 'predicate' | 'object' | 'subjectType' | 'objectType'> & {
  readonly subject?: string | undefined
}

/** A way to say something, tried where a clause begins. */
export interface Pattern {
  /** `speaker`: said of oneself, learned from users only. `named`: begins with a name, learned from anybody. */
  readonly about: 'speaker' | 'named'
  /** Sticky. What comes before the object; for `named`, after the name. */
  readonly lead: RegExp
  /** How the object is read. Without one there is none, and `claim` takes the subject for it. */
  readonly object?: Taker
  /** Sticky. What must stand after the object. */
  readonly after?: RegExp
  readonly claim: (found: PatternMatch) => PatternClaim | readonly PatternClaim[] | undefined
  readonly confidence: number
  /** Says that something is over. */
  readonly closes?: true
  /** Says that something changed: what was so before is over. */
  readonly replaces?: true
  /** May be followed by since when, or until when. */
  readonly dated?: true
  /** True wherever it is mentioned, such as `my sister Ann`: tried in the middle of a clause too. */
  readonly anywhere?: true
  /**
   * For `named`: how sure it must be that the name is a person's. `surely`: a given name, or somebody's relation or title.
   * `likely`: or written with a capital where no sentence begins. Without it, what is said is of persons only, or of anything.
   */
  readonly person?: 'surely' | 'likely'
  /** The object is a day: `any` year, so that it comes again, or the `next` one after it was said. */
  readonly day?: 'any' | 'next'
  /** An instruction, a decision or what a team uses: holds beside a task that the same message gives. */
  readonly standing?: true
}

/** A sticky pattern that does not care about case; `~` stands for the apostrophes that people type. */
export function wordPattern(source: string): RegExp {
  return new RegExp(source.replaceAll('~', `['’\`´]`), 'iuy')
}

/** The claim that most patterns make. */
export function says(
  predicate: string,
  types: Pick<LearnedClaim, 'subjectType' | 'objectType'> = {},
): (found: PatternMatch) => PatternClaim {
  return ({ subject, object }) => ({ ...defined({ subject }), predicate, object, ...types })
}

/** `nuts, milk and shellfish` as three. */
export function listItems(text: string): readonly string[] {
  return text
    .split(/,\s*(?:and |und |or |oder )?|\s(?:and|und|or|oder|&)\s/iu)
    .map((item) => item.trim())
    .filter((item) => item !== '')
}
