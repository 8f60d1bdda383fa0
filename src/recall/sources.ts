import type { Support } from './rank.ts'

/** A fact as recall shows it, or why it may not be shown. */
export type RecalledFact =
  | {
      readonly state: 'current' | 'quarantined'
      readonly text: string
      readonly trust: 0 | 1 | 2 | 3
      /** When it was learned. */
      readonly at: number
      /** The messages that say so, the newest last. */
      readonly sources?: readonly { readonly session: string; readonly id: string }[]
    }
  | { readonly state: 'superseded' | 'not-yet-known' | 'not-true-then' | 'removed' }

/** A fact whose text is to be posted. Closed and retracted ones stay posted: an `asOf` may ask for them. */
export interface FactToPost {
  readonly id: string
  readonly text: string
  readonly trust: 0 | 1 | 2 | 3
  readonly at: number
}

/** Where recall gets facts and their graph from. Given by whoever has them; without it, recall knows messages and folds. */
export interface FactReader {
  /** What changed in a scope since a version of its knowledge; `gone` are those that were forgotten. */
  changes(
    scope: string,
    after: number,
  ): Promise<{ readonly through: number; readonly facts: readonly FactToPost[]; readonly gone: readonly string[] }>
  /** A fact as a scope sees it, or saw it: `asOf` is what was known then, `at` what was true then, both in milliseconds. */
  read(scope: string, id: string, when: { readonly asOf?: number; readonly at?: number }): Promise<RecalledFact>
  /** Facts about things that the question names, or about the user with `asker`, and one step around them; `edge` says which. */
  around(
    scopes: readonly string[],
    question: string,
    asker: boolean,
  ): Promise<readonly { readonly scope: string; readonly id: string; readonly edge: string; readonly asker?: true }[]>
}

/** Where recall gets likeness of meaning from: messages near a question, each from 0 to 1. */
export interface VectorSource {
  near(
    scopes: readonly string[],
    question: string,
  ): Promise<
    readonly { readonly session: number; readonly seq: number; readonly vector: NonNullable<Support['vector']> }[]
  >
  /** Messages that have no vector yet, the first ones of each scope. */
  waiting(scopes: readonly string[]): Promise<readonly { readonly session: number; readonly seq: number }[]>
}
