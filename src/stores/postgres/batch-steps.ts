import type { ProgramStep } from '../sql/program.ts'

/** Statements to send, and what their answers mean for those that were asked for. */
export interface Batch {
  readonly steps: readonly ProgramStep[]
  readonly answers: (found: readonly unknown[]) => readonly unknown[]
}

/** Wider ones are lists of keys, which are many to begin with. */
const VALUES_MAX = 20
/** Literals and quoted names pass through: a question mark in them is one. */
const TOKEN = /'(?:[^']|'')*'|"[^"]*"|\?/g
const INSERT = /^(INSERT INTO \w+\s*\([^()]*\))\s*VALUES \((?:\?, )*\?\)/
const SELECT = /^SELECT (?!.*\bFOR UPDATE\b)/s

/**
 * Where a statement comes many times in a row, sends it once with a list for each of its values: a thousand small statements
 * cost the driver and the server a hundred times more than one that goes through a thousand rows.
 */
export function batchSteps(steps: readonly ProgramStep[]): Batch {
  const runs = runsOf(steps).map((run) => ({ run, merged: merge(run) }))
  return {
    steps: runs.flatMap(({ run, merged }) => merged?.step ?? run),
    answers: (found) => {
      let at = 0
      return runs.flatMap(({ run, merged }) => {
        const from = at
        at += merged === undefined ? run.length : 1
        return merged === undefined ? found.slice(from, at) : merged.answers(found[from])
      })
    },
  }
}

function runsOf(steps: readonly ProgramStep[]): readonly (readonly ProgramStep[])[] {
  const runs: ProgramStep[][] = []
  for (const step of steps) {
    const first = runs.at(-1)?.[0]
    if (first !== undefined && first.text === step.text && first.gives === step.gives) runs.at(-1)?.push(step)
    else runs.push([step])
  }
  return runs
}

interface Merged {
  readonly step: ProgramStep
  readonly answers: (found: unknown) => readonly unknown[]
}

function merge(run: readonly ProgramStep[]): Merged | undefined {
  const [first] = run
  if (first === undefined || run.length === 1 || first.values.length === 0 || first.values.length > VALUES_MAX)
    return undefined
  const values = first.values.map((_, column) => run.map((step) => step.values[column]))
  const types = values.map(typeOf)
  if (types.includes(undefined)) return undefined
  const lists: Lists = {
    text: `unnest(${types.map((type) => `?::${type}[]`).join(', ')})`,
    values: values.map((column, index) => (types[index] === 'bigint' ? numbersText(column) : column)),
  }
  if (INSERT.test(first.text)) return mergeInserts(first, run.length, lists)
  return SELECT.test(first.text) && first.gives !== 'changes' ? mergeSelects(first, run.length, lists) : undefined
}

/** As the server reads it. The driver would look at every number for characters to escape, which takes ten times longer. */
function numbersText(numbers: readonly unknown[]): string {
  return `{${numbers.map((number) => number ?? 'NULL').join(',')}}`
}

/** One value for each of the statement's, which holds a list. */
interface Lists {
  readonly text: string
  readonly values: readonly unknown[]
}

/** Rows that come back say themselves whose they are: the server need not return them in the order of the lists. */
function mergeInserts({ text, gives }: ProgramStep, count: number, lists: Lists): Merged {
  const step = { text: text.replace(INSERT, `$1 SELECT * FROM ${lists.text}`), values: lists.values, gives }
  return {
    step,
    answers: (found) =>
      gives === 'changes'
        ? [found, ...Array.from({ length: count - 1 }, () => 0)]
        : Array.from({ length: count }, (_, index) => (found as readonly unknown[]).slice(index, index + 1)),
  }
}

function mergeSelects({ text, gives }: ProgramStep, count: number, lists: Lists): Merged {
  const columns = lists.values.map((_, index) => `v${index + 1}`)
  let at = 0
  const each = text.replaceAll(TOKEN, (token) => (token === '?' ? `asked.v${++at}` : token))
  const merged = `SELECT found.*, asked.nth AS "nth" FROM ${lists.text} WITH ORDINALITY AS asked (${columns.join(', ')}, nth),
    LATERAL (${each}) AS found`
  return {
    step: { text: merged, values: lists.values, gives },
    answers: (found) => (gives === 'lists' ? dealLists(found, count) : dealRows(found, count)),
  }
}

function dealLists(found: unknown, count: number): readonly unknown[] {
  const dealt = Array.from({ length: count }, (): unknown[] => [])
  for (const row of found as unknown[][]) dealt[Number(row.pop()) - 1]?.push(row)
  return dealt
}

function dealRows(found: unknown, count: number): readonly unknown[] {
  const dealt = Array.from({ length: count }, (): unknown[] => [])
  for (const { nth, ...row } of found as readonly { readonly nth: number }[]) dealt[nth - 1]?.push(row)
  return dealt
}

/** What a column of values is to the server; undefined where they do not tell. */
function typeOf(values: readonly unknown[]): string | undefined {
  const given = values.filter((value) => value !== null)
  if (given.length === 0) return undefined
  if (given.every((value) => typeof value === 'string')) return 'text'
  if (given.every((value) => Number.isInteger(value))) return 'bigint'
  return given.every((value) => value instanceof Uint8Array) ? 'bytea' : undefined
}
