import type { JSONObject } from '../../domain/json.ts'
import { pairMessage } from '../canonical/lint.ts'
import type { Report } from '../codec.ts'
import type { TranscriptPath } from '../violation.ts'

interface BlockAt {
  readonly block: JSONObject
  readonly path: TranscriptPath
}

/** Neighbouring messages of one role. */
export interface Run {
  readonly role: unknown
  readonly blocks: readonly BlockAt[]
}

/** A4, A5, A6, A13, A16 and the ids of C2. */
export function lintTools(runs: readonly Run[], report: Report): void {
  const ids = new Set<string>()
  const server = new Set<string>()
  let open: ReadonlyMap<string, TranscriptPath> = new Map()
  for (const run of runs) {
    if (run.role === 'user') open = lintResults(run, open, report)
    for (const [id, path] of open)
      report('A4', path, `Cannot send the tool_use "${id}": the next message has no tool_result for it`)
    open = run.role === 'assistant' ? lintCalls(run, ids, server, report) : new Map()
    if (run.role !== 'assistant') refuseCalls(run, report)
  }
  for (const [id, path] of open)
    report('A4', path, `Cannot send the tool_use "${id}": no message with its tool_result follows`)
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function refuseCalls(run: Run, report: Report): void {
  for (const { block, path } of run.blocks) {
    const type = String(block['type'])
    const server = type !== 'tool_result' && type.endsWith('_tool_result')
    if (type.endsWith('tool_use') || server || type.endsWith('thinking'))
      report('C0', path, `Cannot send a ${type} block with role "${String(run.role)}": expected assistant`)
    if (type === 'tool_result' && run.role !== 'user')
      report('C0', path, `Cannot send a tool_result block with role "${String(run.role)}": expected user`)
  }
}

/** Checks a user message against the calls before it; gives back the calls it leaves open. */
function lintResults(
  run: Run,
  open: ReadonlyMap<string, TranscriptPath>,
  report: Report,
): ReadonlyMap<string, TranscriptPath> {
  const left = new Map(open)
  let other = false
  for (const { block, path } of run.blocks) {
    if (block['type'] !== 'tool_result') {
      other = true
      continue
    }
    const id = block['tool_use_id']
    if (!isText(id)) continue
    if (other) report('A5', path, `Cannot send the tool_result "${id}" after other content: expected the results first`)
    if (left.delete(id)) continue
    if (open.has(id)) report('C2', path, pairMessage({ type: 'duplicate-result', id, path }))
    else report('A6', path, `Cannot send the tool_result "${id}": the assistant message before it has no such tool_use`)
  }
  return left
}

function lintCalls(
  run: Run,
  ids: Set<string>,
  server: Set<string>,
  report: Report,
): ReadonlyMap<string, TranscriptPath> {
  const open = new Map<string, TranscriptPath>()
  let called = false
  for (const { block, path } of run.blocks) {
    const { id, type } = block
    if (type === 'thinking' || type === 'redacted_thinking') called = false
    else if (type === 'text' && called) report('A16', path, 'Text after a tool_use: calls come at the end')
    if (type === 'tool_result')
      report('C0', path, 'Cannot send a tool_result block with role "assistant": expected user')
    else if (
      isText(type) &&
      type.endsWith('_tool_result') &&
      isText(block['tool_use_id']) &&
      !server.delete(block['tool_use_id'])
    ) {
      report('A13', path, `Cannot send a ${type} block without its server_tool_use before it`)
    }
    if (!isText(type) || !type.endsWith('tool_use') || !isText(id)) continue
    if (ids.has(id)) report('C2', path, pairMessage({ type: 'duplicate-call', id, path }))
    ids.add(id)
    if (type === 'tool_use') {
      called = true
      open.set(id, path)
    } else server.add(id)
  }
  return open
}
