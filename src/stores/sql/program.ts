import { interleave } from '../../domain/interleave.ts'

/** A statement to run, in the words of our SQL: values are `?` in order of appearance. */
export interface ProgramStep {
  readonly text: string
  readonly values: readonly unknown[]
  /**
   * What its answer is: rows, rows as lists (several times faster where there are thousands), how many rows it changed, or
   * nothing. A program that asks for nothing goes on before the statement has run; if it fails, the transaction does. It also goes
   * on after `held`; if that turns out to be false, nothing that follows is written and the transaction fails.
   */
  readonly gives: 'rows' | 'lists' | 'changes' | 'nothing' | 'held'
}

/**
 * What a store does, as statements and what it makes of their answers. It does not know who runs them: SQLite does it at
 * once, PostgreSQL over a network. A list of steps needs no answer in between and may travel together.
 */
export type Program<Result> = Generator<ProgramStep | readonly ProgramStep[], Result, unknown>

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
export function* countRows(text: string, ...values: readonly unknown[]): Program<number> {
  return (yield* one<{ readonly count: number }>(text, ...values))?.count ?? 0
}

/** How many rows it changed. */
export function* changeRows(text: string, ...values: readonly unknown[]): Program<number> {
  return (yield { text, values, gives: 'changes' }) as number
}

/** Runs statements that do not wait for each other's answers; answers come in their order. */
export function* together(steps: readonly ProgramStep[]): Program<readonly unknown[]> {
  return steps.length === 0 ? [] : ((yield steps) as readonly unknown[])
}

/** Runs programs that do not wait for each other's answers side by side: what each asks next travels together. */
export function inParallel<Results extends readonly unknown[] | []>(programs: {
  readonly [Index in keyof Results]: Program<Results[Index]>
}): Program<Results> {
  return interleave<ProgramStep, Results>(programs)
}

/** The same statement for many values, none of which waits for another's answer: the rows of each, in their order. */
export function* allEach<Row>(
  text: string,
  values: readonly (readonly unknown[])[],
): Program<readonly (readonly Row[])[]> {
  return (yield* together(values.map((each) => ({ text, values: each, gives: 'rows' })))) as readonly (readonly Row[])[]
}

export function* listsEach<Row>(
  text: string,
  values: readonly (readonly unknown[])[],
): Program<readonly (readonly Row[])[]> {
  return (yield* together(
    values.map((each) => ({ text, values: each, gives: 'lists' })),
  )) as readonly (readonly Row[])[]
}

/** How many rows were changed in all. */
export function* runEach(text: string, values: readonly (readonly unknown[])[]): Program<number> {
  const changed = (yield* together(
    values.map((each) => ({ text, values: each, gives: 'changes' })),
  )) as readonly number[]
  return changed.reduce((sum, rows) => sum + rows, 0)
}

/** A statement among others that travel together. */
export function change(text: string, ...values: readonly unknown[]): ProgramStep {
  return { text, values, gives: 'changes' }
}

/** The same, without waiting for it. */
export function write(text: string, ...values: readonly unknown[]): ProgramStep {
  return { text, values, gives: 'nothing' }
}
