import type { JSONObject, JSONValue } from '../../domain/json.ts'
import { field, isArray, isObject, kindOf } from '../canonical/json.ts'
import { lintDrafts } from '../canonical/lint.ts'
import { placeReading } from '../canonical/locate.ts'
import type { Report } from '../codec.ts'
import type { TranscriptPath } from '../violation.ts'
import { isMalformedUIPart, toolName } from './parts.ts'
import { readUI, uiMessages } from './read.ts'

const PAIR_RULES = {
  'duplicate-call': 'C2',
  dangling: 'V3',
  'duplicate-result': 'C2',
  orphan: 'C2',
  late: 'C3',
} as const

export function lintUI(wire: unknown, report: Report): void {
  const opened = uiMessages(wire)
  if (opened === undefined) {
    report('C0', [], `Cannot read the transcript: received ${kindOf(wire)}, expected an array of UI messages`)
    return
  }
  if (opened.messages.length === 0)
    report('C1', opened.path, 'Cannot send a transcript without messages: expected at least one')
  for (const [index, message] of opened.messages.entries()) lintMessage(message, [...opened.path, index], report)
  const { reading, locate } = placeReading()
  const drafts = readUI(wire, reading) ?? []
  lintDrafts(drafts, locate(drafts), forUI(opened.messages, opened.path, report), PAIR_RULES)
}

/** What differs from canonical: empty texts are dropped by the SDK (V5), and it runs approved calls itself. */
function forUI(messages: readonly JSONValue[], base: TranscriptPath, report: Report): Report {
  const last = messages.length - 1
  const lastParts = field(messages[last], 'parts')
  const add = (...[rule, path, message, grade]: Parameters<Report>): void => {
    const [index, key, at] = path.slice(base.length)
    if (rule === 'C6' && key === undefined) return
    const part = isArray(lastParts) && index === last && key === 'parts' ? lastParts[Number(at)] : undefined
    if (rule === 'V3' && field(part, 'state') === 'approval-responded') return
    const dropped = rule === 'C6' && message.includes('empty text')
    report(dropped ? 'V5' : rule, path, message, grade)
  }
  return Object.assign(add, { violations: report.violations, options: report.options })
}

function lintMessage(message: JSONValue, path: TranscriptPath, report: Report): void {
  if (!isObject(message)) {
    report('C0', path, `Cannot read the message: received ${kindOf(message)}, expected { id, role, parts }`)
    return
  }
  const { id, role, parts } = message
  if (typeof id !== 'string') report('C0', [...path, 'id'], `Cannot read the id: received ${kindOf(id)}, expected text`)
  if (role !== 'user' && role !== 'assistant' && role !== 'system')
    report('C0', [...path, 'role'], `Cannot send the role ${JSON.stringify(role)}: expected user, assistant or system`)
  if (!isArray(parts) || parts.every(isBlank)) {
    report(
      'V6',
      [...path, 'parts'],
      `Cannot send a message without parts: received ${kindOf(parts)}, expected at least one that is not empty`,
    )
    return
  }
  for (const [index, part] of parts.entries()) lintPart(part, message, [...path, 'parts', index], report)
}

function isBlank(part: JSONValue): boolean {
  const type = field(part, 'type')
  return (
    (type === 'text' && field(part, 'text') === '' && field(part, 'providerMetadata') === undefined) ||
    type === 'step-start'
  )
}

function lintPart(part: JSONValue, message: JSONObject, path: TranscriptPath, report: Report): void {
  if (isMalformedUIPart(part)) {
    report('C0', path, `Cannot read the part: received ${kindOf(part)}, expected a part of a UI message`)
    return
  }
  const isTool = toolName(part) !== undefined
  const type = field(part, 'type')
  const assistantOnly = isTool || type === 'reasoning' || type === 'step-start' || type === 'steering-message'
  if (assistantOnly && message['role'] !== 'assistant')
    report('C0', path, `Cannot send a ${String(type)} part with role "${String(message['role'])}"`)
  if (!isTool) return
  const state = field(part, 'state')
  const input = field(part, 'input')
  const optionalInput = state === 'input-streaming' || state === 'output-error'
  if (!isObject(input) && !(optionalInput && input === undefined))
    report('C9', path, `Cannot send the input: received ${kindOf(input)}, expected an object`)
}
