import type { JSONObject, JSONValue } from '../../domain/json.ts'
import { arrayOf, field, isArray, isObject, kindOf } from '../canonical/json.ts'
import { reportPairs } from '../canonical/lint.ts'
import type { PairingStep } from '../canonical/pairs.ts'
import type { Report } from '../codec.ts'
import type { TranscriptPath } from '../violation.ts'
import { isOmittedPart, lintPart, type Linting } from './lint-part.ts'
import { aisdkMessages, executedCalls } from './read.ts'

const PAIR_RULES = {
  'duplicate-call': 'C2',
  dangling: 'V3',
  'duplicate-result': 'C2',
  orphan: 'C2',
  late: 'V3',
} as const

export function lintAISDK(wire: unknown, report: Report): void {
  const opened = aisdkMessages(wire)
  if (opened === undefined) {
    report(
      'C0',
      [],
      `Cannot read the transcript: received ${kindOf(wire)}, expected { instructions, messages } or an array of messages`,
    )
    return
  }
  const { messages, path: base } = opened
  lintInstructions(opened.instructions, report)
  if (messages.length === 0) report('V1', base, 'Cannot send a prompt without messages: expected at least one')
  const executed = executedCalls(messages)
  const steps: PairingStep[] = []
  for (const [index, message] of messages.entries()) {
    const path = [...base, index]
    if (!isObject(message)) {
      report('C0', path, `Cannot read the message: received ${kindOf(message)}, expected { role, content }`)
      continue
    }
    if (index > 0 && message['role'] === 'tool' && field(messages[index - 1], 'role') === 'tool')
      report('V4', path, 'Two tool messages in a row: the SDK merges them')
    lintMessage(message, path, { steps, executed, report })
  }
  reportPairs(steps, PAIR_RULES, withoutPending(messages, report))
  lintExecuted(messages, base, report)
  lintReasoning(messages, base, report)
  lintApprovals(messages, base, report)
}

function lintInstructions(instructions: unknown, report: Report): void {
  const list = isArray(instructions) ? instructions : instructions === undefined ? [] : [instructions]
  for (const item of list) {
    const sound =
      typeof item === 'string' || (field(item, 'role') === 'system' && typeof field(item, 'content') === 'string')
    if (!sound)
      report(
        'C0',
        ['instructions'],
        `Cannot read instructions: received ${kindOf(item)}, expected text or system messages`,
      )
  }
}

/** The SDK itself runs (or refuses) calls whose approval was answered in the last message. */
function withoutPending(messages: readonly JSONValue[], report: Report): Report {
  const answered = new Set(
    arrayOf(field(messages.at(-1), 'content')).map(
      (part) => field(part, 'type') === 'tool-approval-response' && field(part, 'approvalId'),
    ),
  )
  const requests = messages
    .flatMap((message) => arrayOf(field(message, 'content')))
    .filter((part) => field(part, 'type') === 'tool-approval-request')
  const pending = new Set(
    requests
      .filter((part) => answered.has(field(part, 'approvalId') as string))
      .map((part) => field(part, 'toolCallId')),
  )
  const add = (...[rule, path, message, grade]: Parameters<Report>): void => {
    const part = path.reduce<unknown>(
      (value, key) => (isArray(value) ? value[Number(key)] : field(value, String(key))),
      path[0] === 'messages' ? { messages } : messages,
    )
    if (rule === 'V3' && field(part, 'type') === 'tool-call' && pending.has(field(part, 'toolCallId'))) return
    report(rule, path, message, grade)
  }
  return Object.assign(add, { violations: report.violations, options: report.options })
}

function lintMessage(message: JSONObject, path: TranscriptPath, linting: Linting): void {
  const { steps, report } = linting
  const { role, content } = message
  if (role === 'system') report('V2', path, 'Cannot send a system message inside messages: expected it in instructions')
  else if (role !== 'user' && role !== 'assistant' && role !== 'tool')
    report('C0', [...path, 'role'], `Cannot send the role ${JSON.stringify(role)}: expected user, assistant or tool`)
  if (role !== 'tool') steps.push({ type: role === 'assistant' ? 'assistant' : 'other', path })
  if (typeof content === 'string' && role !== 'tool') {
    if (content === '') report('C6', [...path, 'content'], 'Cannot send an empty text: expected at least one character')
    return
  }
  if (!isArray(content)) {
    report('C0', [...path, 'content'], `Cannot read the content: received ${kindOf(content)}, expected text or parts`)
    return
  }
  if (content.every(isOmittedPart))
    report('C6', [...path, 'content'], 'Cannot send a message without parts: expected at least one that is not empty')
  for (const [index, part] of content.entries()) lintPart(part, role, [...path, 'content', index], linting)
}

/** Calls that the provider ran: ids do not repeat, results come after them. */
function lintExecuted(messages: readonly JSONValue[], base: TranscriptPath, report: Report): void {
  const seen = new Set<unknown>()
  const answered = new Set<unknown>()
  const executed = executedCalls(messages)
  for (const [index, message] of messages.entries()) {
    for (const [at, part] of arrayOf(field(message, 'content')).entries()) {
      const id = field(part, 'toolCallId')
      const type = field(part, 'type')
      const path = [...base, index, 'content', at]
      if (!executed.has(id)) continue
      if (type === 'tool-call' && seen.has(id))
        report('C2', path, `Cannot tell two calls apart: the id "${String(id)}" is used twice`)
      if (type === 'tool-result' && (!seen.has(id) || answered.has(id)))
        report('C2', path, `Cannot send the result "${String(id)}": it has no open call before it`)
      if (type === 'tool-call') seen.add(id)
      if (type === 'tool-result') answered.add(id)
    }
  }
}

/** C5: from the end of each run of assistant messages. */
function lintReasoning(messages: readonly JSONValue[], base: TranscriptPath, report: Report): void {
  let followed = false
  for (let index = messages.length - 1; index >= 0; index--) {
    const content = arrayOf(field(messages[index], 'content'))
    if (field(messages[index], 'role') !== 'assistant') followed = false
    else if (content.length === 0) followed = true
    for (let at = content.length - 1; at >= 0 && field(messages[index], 'role') === 'assistant'; at--) {
      const part = content[at]
      if (part === undefined || isOmittedPart(part)) continue
      if (field(part, 'type') !== 'reasoning') followed = true
      else if (!followed) report('C5', [...base, index, 'content', at], 'Cannot send reasoning that nothing follows')
    }
  }
}

function lintApprovals(messages: readonly JSONValue[], base: TranscriptPath, report: Report): void {
  const calls = new Set<unknown>()
  const requests = new Set<unknown>()
  for (const [index, message] of messages.entries()) {
    for (const [at, part] of arrayOf(field(message, 'content')).entries()) {
      const path = [...base, index, 'content', at]
      const type = field(part, 'type')
      if (type === 'tool-call') calls.add(field(part, 'toolCallId'))
      if (type === 'tool-approval-request') {
        if (calls.has(field(part, 'toolCallId'))) requests.add(field(part, 'approvalId'))
        else report('V7', path, 'Cannot send an approval request without its call before it')
      }
      if (type === 'tool-approval-response' && !requests.has(field(part, 'approvalId')))
        report('V7', path, 'Cannot send an approval response without its request before it')
    }
  }
}
