/** What is embedded: a piece of text of a scope. */
export interface EmbeddableText {
  /** Names it within its scope, for as long as its text stays the same. */
  readonly key: string
  readonly text: string
  /** Its text was never another. If its key has a vector already, that is the vector of this text. */
  readonly isOriginal: boolean
  /**
   * Its place in the order in which the scope's passages were posted: a positive whole number, and higher than the place of every
   * passage that could be read before it. Embedding follows this order and never looks back.
   */
  readonly position: number
}

/**
 * Where passages come from. Whoever takes a passage away, or gives its key another text, tells it to `VectorStore.remove`
 * in the same transaction, and posts the new text at a new position.
 */
export interface PassageSource {
  /** Scopes that have passages, in the order of their names, after one. */
  scopes(page: { readonly after: string | undefined; readonly limit: number }): Promise<readonly string[]>
  /** Passages of exactly this scope after a position, lowest first. */
  passages(scope: string, page: { readonly after: number; readonly limit: number }): Promise<readonly EmbeddableText[]>
}
