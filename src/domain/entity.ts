/** A person, a place, a thing: a node of the graph. It exists from the first fact that names it. */
export interface Entity {
  readonly name: string
  readonly type: string | null
  /** Other names it goes by. */
  readonly aliases: readonly string[]
  /** Where it is kept: the scope that was asked, or one of its ancestors. */
  readonly scope: string
  /** The version of the knowledge in which it became what it is here, counted by the changes of the scope that was asked and its ancestors. */
  readonly revision: number
}
