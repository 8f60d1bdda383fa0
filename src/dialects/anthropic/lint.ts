import type { JSONObject, JSONValue } from '../../domain/json.ts'
import { field, isArray, isObject, kindOf } from '../canonical/json.ts'
import type { Report } from '../codec.ts'
import type { TranscriptPath } from '../violation.ts'
import { CACHE_BREAKPOINTS_MAX, currentTurnStart, lacksThinking, MESSAGES_MAX } from './finish.ts'
import { lintBlock } from './lint-block.ts'
import { lintTools, type Run } from './lint-tools.ts'
import { refusesPrefill, takesSystemInMessages } from './model.ts'
import { anthropicMessages } from './read.ts'
import type { AnthropicMessage } from './types.ts'

export function lintAnthropic(wire: unknown, report: Report): void {
  const opened = anthropicMessages(wire)
  if (opened === undefined) {
    report(
      'C0',
      [],
      `Cannot read the transcript: received ${kindOf(wire)}, expected { system, messages } or an array of messages`,
    )
    return
  }
  const { messages, path: base } = opened
  const before = report.violations.length
  lintSystem(opened.system, report)
  if (messages.length === 0) report('C1', base, 'Cannot send a transcript without messages: expected at least one')
  if (messages.length > MESSAGES_MAX)
    report('A15', base, `Cannot send ${messages.length} messages: expected at most ${MESSAGES_MAX}`)
  for (const [index, message] of messages.entries())
    lintMessage(message, [...base, index], index === messages.length - 1, report)
  lintOrder(messages, base, report)
  lintTools(runsOf(messages, base), report)
  lintCacheMarks(opened.system, messages, base, report)
  const sound = report.violations
    .slice(before)
    .every((violation) => violation.rule !== 'C0' || violation.severity === 'warning')
  if (sound) lintThinking(messages as unknown as readonly AnthropicMessage[], base, report)
}

function lintSystem(system: JSONValue | undefined, report: Report): void {
  if (system === undefined || typeof system === 'string') return
  if (!isArray(system)) {
    report('C0', ['system'], `Cannot read system: received ${kindOf(system)}, expected text or text blocks`)
    return
  }
  for (const [index, block] of system.entries()) {
    if (field(block, 'type') !== 'text')
      report('C0', ['system', index], `Cannot read the system block: received ${kindOf(block)}, expected a text block`)
    else lintBlock(block, ['system', index], report)
  }
}

function lintMessage(message: JSONValue, path: TranscriptPath, last: boolean, report: Report): void {
  if (!isObject(message)) {
    report('C0', path, `Cannot read the message: received ${kindOf(message)}, expected { role, content }`)
    return
  }
  const { role, content } = message
  if (role !== 'user' && role !== 'assistant' && role !== 'system') {
    report('A1', [...path, 'role'], `Cannot send the role ${JSON.stringify(role)}: expected user or assistant`)
  }
  if (typeof content === 'string') {
    if (content === '' && !(last && role === 'assistant'))
      report('A9', [...path, 'content'], 'Cannot send empty content: expected text')
    else if (content !== '' && content.trim() === '')
      report('A9', [...path, 'content'], 'Cannot send blank content: expected text', 'unconfirmed')
    return
  }
  if (!isArray(content)) {
    report('C0', [...path, 'content'], `Cannot read the content: received ${kindOf(content)}, expected text or blocks`)
    return
  }
  if (content.length === 0 && !(last && role === 'assistant'))
    report('A9', [...path, 'content'], 'Cannot send a message without content: expected at least one block')
  for (const [index, block] of content.entries()) lintBlock(block, [...path, 'content', index], report)
  lintEnd(message, content, path, report)
}

/** A12: thinking leads to something. */
function lintEnd(message: JSONObject, content: readonly JSONValue[], path: TranscriptPath, report: Report): void {
  const type = field(content.at(-1), 'type')
  if (message['role'] !== 'assistant' || (type !== 'thinking' && type !== 'redacted_thinking')) return
  report(
    'A12',
    [...path, 'content', content.length - 1],
    'Cannot end an assistant message with thinking: expected what it led to',
    'unconfirmed',
  )
}

/** A1, A2, A3, A10: who speaks when. */
function lintOrder(messages: readonly JSONValue[], base: TranscriptPath, report: Report): void {
  const roles = messages.map((message) => field(message, 'role'))
  const { model, thinking } = report.options
  for (const [index, role] of roles.entries()) {
    const path = [...base, index]
    if (role === 'system' && !takesSystemInMessages(model))
      report('A1', path, 'Cannot send role "system" inside messages to this model: expected it in the top-level system')
    else if (role === 'system' && roles[index - 1] !== 'user')
      report('A1', path, 'Cannot send role "system" here: expected it right after a user message')
    if (index > 0 && role === roles[index - 1])
      report('A3', path, `Two messages with role "${String(role)}" in a row: the server merges them`)
  }
  if (roles[0] === 'assistant' && field(firstBlock(messages[0]), 'type') !== 'compaction')
    report('A2', [...base, 0], 'Cannot start with an assistant message: expected the user first')
  const last = messages.length - 1
  if (roles[last] !== 'assistant') return
  if (thinking === true || refusesPrefill(model))
    report('A10', [...base, last], 'Cannot end with an assistant message on this model: expected the user last')
  const text = lastText(messages[last])
  if (text !== undefined && text !== text.trimEnd())
    report('A10', [...base, last], 'Cannot end the last assistant message in white space: expected it trimmed')
}

function firstBlock(message: JSONValue | undefined): JSONValue | undefined {
  const content = field(message, 'content')
  return isArray(content) ? content[0] : undefined
}

function lastText(message: JSONValue | undefined): string | undefined {
  const content = field(message, 'content')
  const text = isArray(content)
    ? field(content.at(-1), 'type') === 'text'
      ? field(content.at(-1), 'text')
      : undefined
    : content
  return typeof text === 'string' ? text : undefined
}

/** Neighbours of the same role, as the server sees them: one message. */
function runsOf(messages: readonly JSONValue[], base: TranscriptPath): readonly Run[] {
  const runs: { role: unknown; blocks: { block: JSONObject; path: TranscriptPath }[] }[] = []
  for (const [index, message] of messages.entries()) {
    const role = field(message, 'role')
    const content = field(message, 'content')
    const listed = isArray(content) ? content : typeof content === 'string' ? [{ type: 'text', text: content }] : []
    const blocks = listed.flatMap((block, at) =>
      isObject(block) ? [{ block, path: [...base, index, 'content', at] }] : [],
    )
    const last = runs.at(-1)
    if (last !== undefined && last.role === role) for (const block of blocks) last.blocks.push(block)
    else runs.push({ role, blocks })
  }
  return runs
}

function lintCacheMarks(
  system: JSONValue | undefined,
  messages: readonly JSONValue[],
  base: TranscriptPath,
  report: Report,
): void {
  const contents = messages.map((message) => field(message, 'content'))
  const blocks = [system, ...contents].flatMap((content) => (isArray(content) ? content : []))
  const marks = blocks.filter((block) => (field(block, 'cache_control') ?? null) !== null).length
  if (marks > CACHE_BREAKPOINTS_MAX)
    report(
      'A15',
      base,
      `Cannot send ${marks} cache breakpoints: expected at most ${CACHE_BREAKPOINTS_MAX}`,
      'unconfirmed',
    )
}

function lintThinking(messages: readonly AnthropicMessage[], base: TranscriptPath, report: Report): void {
  if (report.options.thinking !== true) return
  const from = currentTurnStart(messages)
  for (const [index, message] of messages.entries()) {
    if (index < from || !lacksThinking(message)) continue
    report(
      'A11',
      [...base, index],
      'Cannot send calls of the current turn without their thinking: expected a thinking block first',
    )
  }
}
