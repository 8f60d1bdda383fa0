import type { JSONObject, JSONValue } from '../../domain/json.ts'
import { parseArguments } from '../canonical/arguments.ts'
import { field, isArray, isObject, kindOf } from '../canonical/json.ts'
import { reportPairs } from '../canonical/lint.ts'
import type { PairingStep } from '../canonical/pairs.ts'
import type { Report } from '../codec.ts'
import type { TranscriptPath } from '../violation.ts'
import { unusable } from './finish.ts'
import {
  endsTurn,
  isAssistantMessage,
  isLedTo,
  isReasoningModel,
  itemType,
  responsesItems,
  unpaired,
  withoutReasoning,
} from './items.ts'
import { isMalformedInput } from './read.ts'

const PAIR_RULES = {
  'duplicate-call': 'C2',
  dangling: 'R2',
  'duplicate-result': 'C2',
  orphan: 'R1',
  late: 'C3',
} as const
const ROLES: readonly unknown[] = ['user', 'system', 'developer', 'assistant']

export function lintResponses(wire: unknown, report: Report): void {
  const opened = responsesItems(wire)
  if (opened === undefined) {
    report('C0', [], `Cannot read the transcript: received ${kindOf(wire)}, expected an array of items or { input }`)
    return
  }
  const { items, path: base } = opened
  const linked = [field(wire, 'conversation'), field(wire, 'previous_response_id')].filter(
    (value) => value !== undefined && value !== null,
  )
  if (linked.length === 2)
    report('R8', [], 'Cannot send conversation and previous_response_id together: expected one of them')
  if (items.length === 0 && linked.length === 0)
    report('C1', base, 'Cannot send a transcript without items: expected at least one')
  const steps: PairingStep[] = []
  for (const [index, item] of items.entries()) lintItem(item, [...base, index], steps, report)
  const rules = linked.length === 0 ? PAIR_RULES : { ...PAIR_RULES, orphan: '' }
  reportPairs(steps, rules, skipEmpty(report))
  const store = report.options.store ?? field(wire, 'store')
  lintList(items, base, store === false, report)
}

/** Outputs may answer calls of the chain that a request refers to: those are not orphans. */
function skipEmpty(report: Report): Report {
  const add = (...[rule, path, message, grade]: Parameters<Report>): void => {
    if (rule !== '') report(rule, path, message, grade)
  }
  return Object.assign(add, { violations: report.violations, options: report.options })
}

function lintItem(item: JSONValue, path: TranscriptPath, steps: PairingStep[], report: Report): void {
  const type = itemType(item)
  if (!isObject(item) || type === undefined) {
    report('C0', path, `Cannot read the item: received ${kindOf(item)}, expected an object with a type`)
    return
  }
  if (type === 'function_call' || type === 'custom_tool_call') lintCall(item, path, steps, report)
  else if (type === 'function_call_output' || type === 'custom_tool_call_output') lintOutput(item, path, steps, report)
  else if (type === 'message') {
    steps.push({ type: isAssistantMessage(item) ? 'assistant' : 'other', path })
    lintMessage(item, path, report)
  } else if (!endsTurn(item)) steps.push({ type: 'assistant', path })
  if (type === 'reasoning') lintReasoning(item, path, report)
}

function lintCall(item: JSONObject, path: TranscriptPath, steps: PairingStep[], report: Report): void {
  const { call_id: id, name, type } = item
  if (typeof id !== 'string' || id === '' || typeof name !== 'string' || !/^[a-zA-Z0-9_-]{1,128}$/.test(name)) {
    report('C0', path, `Cannot read the ${String(type)}: expected call_id and a name of letters, digits, _ and -`)
  }
  if (typeof id !== 'string' || typeof name !== 'string') return
  steps.push({ type: 'call', id, path })
  const given = item[type === 'function_call' ? 'arguments' : 'input']
  if (typeof given !== 'string')
    report('C0', path, `Cannot read the arguments: received ${kindOf(given)}, expected text`)
  else if (type === 'function_call' && parseArguments(given) === undefined)
    report('C9', path, `Cannot send the call "${id}": its arguments are not a JSON object`)
}

function lintOutput(item: JSONObject, path: TranscriptPath, steps: PairingStep[], report: Report): void {
  const { call_id: id, output } = item
  if (typeof id !== 'string') {
    report('C0', path, 'Cannot read the output: expected a call_id')
    return
  }
  steps.push({ type: 'result', id, path })
  if (typeof output === 'string') return
  if (!isArray(output) || output.length === 0)
    report('C0', [...path, 'output'], `Cannot read the output: received ${kindOf(output)}, expected text or parts`)
  else for (const [index, part] of output.entries()) lintPart(part, RESULT_PARTS, [...path, 'output', index], report)
}

function lintReasoning(item: JSONObject, path: TranscriptPath, report: Report): void {
  const { id, summary, encrypted_content: encrypted } = item
  const sealed = (value: JSONValue | undefined): boolean =>
    value === undefined || value === null || (typeof value === 'string' && value !== '')
  if (!isArray(summary) || !summary.every((part) => typeof field(part, 'text') === 'string'))
    report('C0', [...path, 'summary'], 'Cannot read the summary: expected parts with text')
  if (!sealed(id) || !sealed(encrypted))
    report('C4', path, 'Cannot send reasoning whose id or encrypted_content is damaged')
  else if (typeof id !== 'string' && typeof encrypted !== 'string')
    report('C0', path, 'Cannot send reasoning without id and encrypted_content: expected one of them')
}

const INPUT_PARTS: readonly unknown[] = ['input_text', 'input_image', 'input_file']
const OUTPUT_PARTS: readonly unknown[] = ['output_text', 'refusal']
/** The same as input, but a tool may have nothing to say. */
const RESULT_PARTS: readonly unknown[] = [...INPUT_PARTS]

function lintMessage(item: JSONObject, path: TranscriptPath, report: Report): void {
  const { role, content } = item
  if (!ROLES.includes(role))
    report(
      'C0',
      [...path, 'role'],
      `Cannot send the role ${JSON.stringify(role)}: expected user, system, developer or assistant`,
    )
  if (content === '') report('C6', [...path, 'content'], 'Cannot send an empty text: expected at least one character')
  if (typeof content === 'string') return
  if (!isArray(content) || content.length === 0) {
    report('C6', [...path, 'content'], `Cannot send a message without content: received ${kindOf(content)}`)
    return
  }
  const known = role === 'assistant' ? OUTPUT_PARTS : INPUT_PARTS
  for (const [index, part] of content.entries()) lintPart(part, known, [...path, 'content', index], report)
}

function lintPart(part: JSONValue, known: readonly unknown[], path: TranscriptPath, report: Report): void {
  const type = field(part, 'type')
  if (typeof type !== 'string' || isMalformedInput(part)) {
    report('C0', path, `Cannot read the part: received ${kindOf(part)}, expected one of ${known.join(', ')}`)
    return
  }
  const text = field(part, type === 'refusal' ? 'refusal' : 'text')
  const textual = type === 'refusal' || type.endsWith('text')
  if (textual && typeof text !== 'string') report('C0', path, `Cannot read the part of type "${type}": expected text`)
  else if (textual && text === '' && known !== RESULT_PARTS)
    report('C6', path, 'Cannot send an empty text part: expected at least one character')
  if (!known.includes(type)) {
    const foreign = [...INPUT_PARTS, ...OUTPUT_PARTS, 'text'].includes(type)
    report(
      foreign ? 'R11' : 'C0',
      path,
      `Cannot send a part of type "${type}" here: expected one of ${known.join(', ')}`,
      foreign ? 'unconfirmed' : 'warning',
    )
  }
}

/** R3 to R10: what is beside what. */
function lintList(items: readonly JSONValue[], base: TranscriptPath, unstored: boolean, report: Report): void {
  const seen = new Set<string>()
  for (const [index, item] of items.entries()) {
    const path = [...base, index]
    const rule = unusable(item, unstored)
    if (rule !== undefined) report(rule, path, `Cannot send this item of type "${String(itemType(item))}"`)
    if (itemType(item) === 'reasoning' && !isLedTo(items[index + 1]))
      report('R3', path, 'Cannot send reasoning that is not directly followed by what it led to')
    if (itemType(item) === 'compaction_trigger' && index < items.length - 1)
      report('R9', path, 'Cannot send compaction_trigger here: expected it last')
    const id = field(item, 'id')
    if (typeof id !== 'string') continue
    if (seen.has(id)) report('R7', path, `Cannot send the item "${id}" twice`)
    seen.add(id)
  }
  for (const index of unpaired(items)) report('R10', [...base, index], 'Cannot send this item without its other half')
  const certain = isReasoningModel(report.options.model)
  const reasons = items.some((item) => itemType(item) === 'reasoning')
  for (const index of certain || reasons ? withoutReasoning(items) : []) {
    const grade = certain ? undefined : 'warning'
    report('R4', [...base, index], 'Cannot send an item of a reasoning model under its id without its reasoning', grade)
  }
}
