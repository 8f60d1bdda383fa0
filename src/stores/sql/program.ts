/** A statement to run, in the words of our SQL: values are `?` in order of appearance. */
export interface Step {
  readonly text: string
  readonly values: readonly unknown[]
  /** What its answer is: rows, rows as lists (several times faster where there are thousands), or how many rows it changed. */
  readonly gives: 'rows' | 'lists' | 'changes'
}

/**
 * What a store does, as statements and what it makes of their answers. It does not know who runs them: SQLite does it at
 * once, PostgreSQL over a network. A list of steps needs no answer in between and may travel together.
 */
export type Program<Result> = Generator<Step | readonly Step[], Result, unknown>

export function* all<Row>(text: string, ...values: readonly unknown[]): Program<readonly Row[]> {
  return (yield { text, values, gives: 'rows' }) as readonly Row[]
}

export function* lists<Row>(text: string, ...values: readonly unknown[]): Program<readonly Row[]> {
  return (yield { text, values, gives: 'lists' }) as readonly Row[]
}

export function* one<Row>(text: string, ...values: readonly unknown[]): Program<Row | undefined> {
  return ((yield { text, values, gives: 'rows' }) as readonly Row[])[0]
}

/** The column `count` of the only row. */
export function* count(text: string, ...values: readonly unknown[]): Program<number> {
  return (yield* one<{ readonly count: number }>(text, ...values))?.count ?? 0
}

/** How many rows it changed. */
export function* run(text: string, ...values: readonly unknown[]): Program<number> {
  return (yield { text, values, gives: 'changes' }) as number
}

/** Runs statements that do not wait for each other's answers; answers come in their order. */
export function* together(steps: readonly Step[]): Program<readonly unknown[]> {
  return steps.length === 0 ? [] : ((yield steps) as readonly unknown[])
}
