import type { Part, ToolResultPart } from '../../domain/part.ts'
import { estimator } from '../../tokens/estimate.ts'
import type { ExtractedLine } from './candidates.ts'
import { clip } from './excerpt.ts'
import { type FoldTextOptions, lineText } from './fold-text.ts'
import { outputShape } from './json-shape.ts'
import { outputWords } from './ledger.ts'
import { dataLine, recordMarker } from './marker.ts'
import { plainDrafts } from './plain-drafts.ts'
import { QUOTED_FRAME_TOKENS } from './quoted-block.ts'
import type { Unit } from '../window/unit.ts'
import { isWriteTool } from './write-tools.ts'

/** How much is shown of each thing, in characters. */
interface Detail {
  readonly write: number
  readonly read: number
  readonly result: number
  readonly error: number
}

/** From generous to scarce: the first with which the record fits is taken, so that a short record is a full one. */
const DETAILS: readonly Detail[] = [
  { write: 1_200, read: 300, result: 400, error: 1_200 },
  { write: 600, read: 160, result: 160, error: 600 },
  { write: 240, read: 100, result: 80, error: 300 },
  { write: 120, read: 60, result: 40, error: 160 },
]

/** Calls of one tool with the same arguments. */
interface Calls {
  readonly name: string
  readonly arguments: string
  times: number
  /** Of the last one; nothing if none was answered. */
  result: string | undefined
  /** Each with how often it came. */
  readonly errors: Map<string, number>
}

type Step = { readonly said: string } | Calls

/**
 * What was called with which arguments and what came of it, a line each, in the order in which it was first called. The same
 * call again is counted and not told again, calls that change something are told in detail, errors word for word.
 */
export function toolRecord(units: readonly Unit[], tokensMax: number): Pick<FoldTextOptions, 'heading' | 'lines'> {
  const steps = stepsOf(units)
  const calls = steps.reduce((sum, step) => sum + ('said' in step ? 0 : step.times), 0)
  const heading = recordMarker(
    units.flatMap(({ entries }) => entries),
    calls,
  )
  const room = tokensMax - estimator().count(`${heading}\n`) - QUOTED_FRAME_TOKENS
  for (const detail of DETAILS) {
    const lines = steps.flatMap((step) => linesFor(step, detail))
    if (estimator().count(lines.map(lineText).join('\n')) <= room) return { heading, lines }
  }
  return { heading, lines: mostImportant(steps, room) }
}

/** A line of a record. All of them are quoted: what was called and what came of it belong together, in their order. */
function recordLine(label: string, text: string): ExtractedLine {
  return { label, text, quoted: true }
}

function stepsOf(units: readonly Unit[]): readonly Step[] {
  const calls = new Map<string, Calls>()
  const steps: Step[] = []
  for (const { entries } of units) {
    const parts = entries.flatMap((entry) => plainDrafts(entry).flatMap((draft) => draft.parts))
    const results = resultsByCall(parts)
    for (const part of parts) {
      if (part.type === 'text' && part.text.trim() !== '') steps.push({ said: part.text })
      if (part.type !== 'tool-call') continue
      const key = `${part.name} ${part.arguments}`
      let known = calls.get(key)
      if (known === undefined) {
        known = { name: part.name, arguments: part.arguments, times: 0, result: undefined, errors: new Map() }
        calls.set(key, known)
        steps.push(known)
      }
      answer(known, results.get(part.id) ?? [])
    }
    for (const part of orphans(parts)) {
      const orphan: Calls = {
        name: part.name ?? 'a tool',
        arguments: '',
        times: 0,
        result: undefined,
        errors: new Map(),
      }
      answer(orphan, [part])
      steps.push(orphan)
    }
  }
  return steps
}

function answer(calls: Calls, results: readonly ToolResultPart[]): void {
  calls.times++
  for (const { output, outcome = 'ok' } of results) {
    const text = outputWords(output)
    if (outcome === 'ok') calls.result = outputShape(output) ?? text
    else countError(calls.errors, text.trim() === '' ? outcome : text)
  }
}

function countError(errors: Map<string, number>, text: string): void {
  errors.set(text, (errors.get(text) ?? 0) + 1)
}

/** In linear time: a bundle may have tens of thousands of calls. */
function resultsByCall(parts: readonly Part[]): ReadonlyMap<string | undefined, readonly ToolResultPart[]> {
  return Map.groupBy(
    parts.filter((part) => part.type === 'tool-result'),
    ({ callId }) => callId,
  )
}

/** Results that answer no call of their bundle. */
function orphans(parts: readonly Part[]): readonly ToolResultPart[] {
  const asked = new Set(parts.flatMap((part) => (part.type === 'tool-call' ? [part.id] : [])))
  return parts
    .filter((part) => part.type === 'tool-result')
    .filter(({ callId }) => callId === undefined || !asked.has(callId))
}

function linesFor(step: Step, detail: Detail): readonly ExtractedLine[] {
  if ('said' in step) return [recordLine('Said', told(step.said, detail.result))]
  const call = [dataLine(step.name), told(step.arguments, isWriteTool(step.name) ? detail.write : detail.read)]
    .filter((text) => text !== '')
    .join(' ')
  const failures = [...step.errors].map(([error, times]) =>
    recordLine('Failed', `${call}${often(times)}: ${told(error, detail.error)}`),
  )
  if (step.result === undefined)
    return failures.length > 0 ? failures : [recordLine('Called', `${call}${often(step.times)}, no result`)]
  const came = told(step.result, isWriteTool(step.name) ? detail.result * 2 : detail.result)
  return [
    ...failures,
    recordLine(
      'Called',
      `${call}${often(step.times)}, ${step.times > 1 ? 'last returned' : 'returned'}: ${came === '' ? 'nothing' : came}`,
    ),
  ]
}

function often(times: number): string {
  return times > 1 ? ` (${times} times)` : ''
}

/** Failures and writes before all else, as many as fit, and how many calls are not told. */
function mostImportant(steps: readonly Step[], room: number): readonly ExtractedLine[] {
  const scarce = DETAILS.at(-1) as Detail
  const lines = steps.flatMap((step) =>
    linesFor(step, scarce).map((line) => ({ line, rank: rankOf(step, line), step })),
  )
  const chosen = new Set<(typeof lines)[number]>()
  let left = room - estimator().count('Left out: 100000 more lines\n')
  for (const one of lines.toSorted((a, b) => a.rank - b.rank)) {
    const cost = estimator().count(`${lineText(one.line)}\n`)
    if (cost > left) continue
    left -= cost
    chosen.add(one)
  }
  const out = lines.length - chosen.size
  return [
    ...lines.filter((one) => chosen.has(one)).map(({ line }) => line),
    ...(out > 0 ? [recordLine('Left out', `${out} more lines`)] : []),
  ]
}

function rankOf(step: Step, line: ExtractedLine): number {
  if (line.label === 'Failed') return 0
  if ('said' in step) return 3
  return isWriteTool(step.name) ? 1 : 2
}

function told(text: string, charactersMax: number): string {
  return dataLine(clip(text, charactersMax))
}
