/** A bar chart: what a command would rather show than list. */
export interface Plot {
  readonly title: string
  readonly bars: readonly Bar[]
}

export interface Bar {
  readonly label: string
  readonly value: number
  /** The value in words, beside the bar. */
  readonly text: string
}
