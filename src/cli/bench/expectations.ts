import type { Memory } from '../../api/memory.ts'
import type { RecallOptions } from '../../api/recall.ts'
import { CommandError } from '../exit-status.ts'

/** A question, and what recall should find for it. The inspector saves one per line. */
export interface Expectation {
  readonly scope: string
  readonly query: string
  readonly options?: RecallOptions
  /** Ids of messages, folds or facts. */
  readonly expect: readonly string[]
}

/** What became of an expectation. */
export interface Met {
  readonly scope: string
  readonly query: string
  /** The place of each expected hit, counted from 1; null if it was not found. */
  readonly places: readonly (number | null)[]
}

/** @throws {CommandError} if a line is no expectation. */
export function readExpectations(text: string): readonly Expectation[] {
  return text
    .split('\n')
    .map((line, index) => [line.trim(), index + 1] as const)
    .filter(([line]) => line !== '')
    .map(([line, number]) => {
      const found = parse(line)
      if (!isExpectation(found))
        throw new CommandError(
          'usage',
          `Line ${number} is not an expectation: expected {"scope": …, "query": …, "expect": [ids]}, the form in which the inspector saves it`,
        )
      return found
    })
}

/** Asks every question, after everything is in the index. */
export async function meetExpectations(memory: Memory, expectations: readonly Expectation[]): Promise<readonly Met[]> {
  const met: Met[] = []
  for (const { scope, query, options = {}, expect } of expectations) {
    const { items } = await memory.scope(scope).recall(query, { ...options, fresh: true })
    const places = expect.map((id) => items.findIndex(({ source }) => source.id === id) + 1 || null)
    met.push({ scope, query, places })
  }
  return met
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

function isExpectation(value: unknown): value is Expectation {
  if (typeof value !== 'object' || value === null) return false
  const { scope, query, expect } = value as Partial<Record<keyof Expectation, unknown>>
  return (
    typeof scope === 'string' &&
    typeof query === 'string' &&
    Array.isArray(expect) &&
    expect.length > 0 &&
    expect.every((id) => typeof id === 'string')
  )
}
