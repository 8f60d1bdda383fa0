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
/** Only where rows are found by equality: then different values find different rows, and one statement changes each row once. */
const UPDATE = /^(UPDATE \w+ SET [^()]*?)( WHERE \w+ = \?(?: AND \w+ = \?)*)$/
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
  if (INSERT.test(first.text)) return mergeInserts(run)
  const lists = listsOf(run)
  if (lists === undefined) return undefined
  if (UPDATE.test(first.text) && first.gives === 'nothing') return mergeUpdates(run, lists)
  const isRead = first.gives === 'rows' || first.gives === 'lists'
  return SELECT.test(first.text) && isRead ? mergeSelects(first, run.length, lists) : undefined
}

function listsOf(run: readonly ProgramStep[]): Lists | undefined {
  const [first] = run
  const columns = first?.values.map((_, column) => run.map((step) => step.values[column])) ?? []
  const types = columns.map(typeOf)
  if (types.includes(undefined)) return undefined
  return {
    text: `unnest(${types.map((type) => `?::${type}[]`).join(', ')})`,
    values: columns.map((column, index) => (types[index] === 'bigint' ? numbersText(column) : column)),
  }
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
function mergeInserts(run: readonly ProgramStep[]): Merged | undefined {
  const [{ text, gives, values } = { text: '', gives: 'nothing' as const, values: [] }] = run
  const count = run.length
  // A column of nothing but NULL has no type that its values could tell.
  const empty = values.map((_, column) => run.every((step) => step.values[column] === null))
  const lists = listsOf(run.map((step) => ({ ...step, values: step.values.filter((_, column) => !empty[column]) })))
  if (lists === undefined) return undefined
  let at = 0
  const columns = empty.map((isEmpty) => (isEmpty ? 'NULL' : `v${++at}`)).join(', ')
  const selected = empty.includes(true)
    ? `SELECT ${columns} FROM ${lists.text} AS asked (${columnsOf(lists)})`
    : `SELECT * FROM ${lists.text}`
  const step = { text: text.replace(INSERT, `$1 ${selected}`), values: lists.values, gives }
  return {
    step,
    answers: (found) =>
      gives === 'changes' || gives === 'nothing'
        ? [found, ...Array.from({ length: count - 1 }, () => 0)]
        : Array.from({ length: count }, (_, index) => (found as readonly unknown[]).slice(index, index + 1)),
  }
}

/** Rows that are changed twice are changed one after the other. */
function mergeUpdates(run: readonly ProgramStep[], lists: Lists): Merged | undefined {
  const [, set = '', where = ''] = UPDATE.exec(run[0]?.text ?? '') ?? []
  const keys = where.split('?').length - 1
  if (new Set(run.map(({ values }) => JSON.stringify(values.slice(-keys)))).size < run.length) return undefined
  const [setAsked, whereAsked] = [set, where].map((text, index) => {
    let at = index === 0 ? 0 : lists.values.length - keys
    return text.replaceAll(TOKEN, (token) => (token === '?' ? `asked.v${++at}` : token))
  })
  const text = `${setAsked} FROM ${lists.text} AS asked (${columnsOf(lists)})${whereAsked}`
  return { step: { text, values: lists.values, gives: 'nothing' }, answers: () => run.map(() => undefined) }
}

function columnsOf({ values }: Lists): string {
  return values.map((_, index) => `v${index + 1}`).join(', ')
}

function mergeSelects({ text, gives }: ProgramStep, count: number, lists: Lists): Merged {
  let at = 0
  const each = text.replaceAll(TOKEN, (token) => (token === '?' ? `asked.v${++at}` : token))
  const merged = `SELECT found.*, asked.nth AS "nth" FROM ${lists.text} WITH ORDINALITY AS asked (${columnsOf(lists)}, nth),
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
