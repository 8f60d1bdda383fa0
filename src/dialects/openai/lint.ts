import type { JSONObject, JSONValue } from '../../domain/json.ts'
import { parseArguments } from '../canonical/arguments.ts'
import { field, isArray, isObject, kindOf } from '../canonical/json.ts'
import { reportPairs } from '../canonical/lint.ts'
import type { PairingStep } from '../canonical/pairs.ts'
import type { Report } from '../codec.ts'
import type { TranscriptPath } from '../violation.ts'
import { openaiMessages } from './read.ts'

const PAIR_RULES = {
  'duplicate-call': 'C2',
  dangling: 'O2',
  'duplicate-result': 'C2',
  orphan: 'O1',
  late: 'O1',
} as const
const ROLES: readonly unknown[] = ['system', 'developer', 'user', 'assistant', 'tool']
const ID_LENGTH_MAX = 40

export function lintOpenAI(wire: unknown, report: Report): void {
  const opened = openaiMessages(wire)
  if (opened === undefined) {
    report('C0', [], `Cannot read the transcript: received ${kindOf(wire)}, expected an array of messages`)
    return
  }
  const { messages } = opened
  if (messages.length === 0)
    report('C1', opened.path, 'Cannot send a transcript without messages: expected at least one')
  const steps: PairingStep[] = []
  for (const [index, message] of messages.entries()) {
    const path = [...opened.path, index]
    if (!isObject(message) || !ROLES.includes(message['role'])) {
      report('C0', path, `Cannot read the message: received ${kindOf(message)}, expected a role of ${ROLES.join(', ')}`)
      continue
    }
    if (message['name'] !== undefined && typeof message['name'] !== 'string')
      report('C0', [...path, 'name'], 'Cannot read the name: expected a string')
    if (message['role'] === 'tool') lintTool(message, path, steps, report)
    else {
      steps.push({ type: 'other', path })
      if (message['role'] === 'assistant') lintAssistant(message, path, steps, report)
      else lintContent(message['content'], path, message['role'] === 'user' ? USER_PARTS : TEXT_PARTS, report)
    }
  }
  reportPairs(steps, PAIR_RULES, report)
  lintRoles(messages, opened.path, report)
}

type PartCheck = (part: JSONObject) => boolean

const TEXT_PARTS: ReadonlyMap<unknown, PartCheck> = new Map([
  ['text', (part: JSONObject) => typeof part['text'] === 'string'],
])
const ASSISTANT_PARTS: ReadonlyMap<unknown, PartCheck> = new Map([
  ...TEXT_PARTS,
  ['refusal', (part: JSONObject) => typeof part['refusal'] === 'string'],
])
const USER_PARTS: ReadonlyMap<unknown, PartCheck> = new Map([
  ...TEXT_PARTS,
  ['image_url', (part: JSONObject) => typeof field(part['image_url'], 'url') === 'string'],
  [
    'input_audio',
    (part: JSONObject) =>
      typeof field(part['input_audio'], 'data') === 'string' &&
      ['wav', 'mp3'].includes(String(field(part['input_audio'], 'format'))),
  ],
  [
    'file',
    (part: JSONObject) =>
      [field(part['file'], 'file_data'), field(part['file'], 'file_id')].some((value) => typeof value === 'string'),
  ],
])

/** String or non-empty array of parts, none of them empty. */
function lintContent(
  content: unknown,
  path: TranscriptPath,
  known: ReadonlyMap<unknown, PartCheck>,
  report: Report,
): void {
  const at = [...path, 'content']
  if (content === '' && known !== EMPTY_ALLOWED)
    report('C6', at, 'Cannot send an empty text: expected at least one character')
  if (typeof content === 'string') return
  if (!isArray(content)) {
    report('C0', at, `Cannot read the content: received ${kindOf(content)}, expected a string or an array of parts`)
    return
  }
  if (content.length === 0) report('C6', at, 'Cannot send a message without parts: expected at least one')
  for (const [index, part] of content.entries()) lintPart(part, [...at, index], known, report)
}

/** A tool may have nothing to say. */
const EMPTY_ALLOWED: ReadonlyMap<unknown, PartCheck> = new Map(TEXT_PARTS)

function lintPart(part: JSONValue, path: TranscriptPath, known: ReadonlyMap<unknown, PartCheck>, report: Report): void {
  if (!isObject(part) || typeof part['type'] !== 'string') {
    report('C0', path, `Cannot read the part: received ${kindOf(part)}, expected an object with a type`)
    return
  }
  const check = known.get(part['type'])
  const foreign = check === undefined && (USER_PARTS.has(part['type']) || ASSISTANT_PARTS.has(part['type']))
  if (foreign || check?.(part) === false)
    report('C0', path, `Cannot read the part of type "${part['type']}": it is malformed or has the wrong role`)
  else if (check === undefined) report('C0', path, `Part of unknown type "${part['type']}"`, 'warning')
  if (part['type'] === 'text' && part['text'] === '' && known !== EMPTY_ALLOWED) {
    report('C6', path, 'Cannot send an empty text part: expected at least one character')
  }
}

function lintAssistant(message: JSONObject, path: TranscriptPath, steps: PairingStep[], report: Report): void {
  const { content, tool_calls: calls } = message
  if (content !== undefined && content !== null) {
    const empty =
      content === '' && (isArray(calls) || typeof message['refusal'] === 'string' || isObject(message['audio']))
    if (!empty) lintContent(content, path, ASSISTANT_PARTS, report)
  }
  if (calls === undefined || calls === null) {
    const excused = typeof message['refusal'] === 'string' || isObject(message['audio'])
    if ((content === undefined || content === null) && !excused) {
      report(
        'O4',
        path,
        'Cannot send an assistant message without content: expected text, tool_calls, a refusal or audio',
      )
    }
    return
  }
  if (!isArray(calls)) {
    report('C0', [...path, 'tool_calls'], `Cannot read tool_calls: received ${kindOf(calls)}, expected an array`)
    return
  }
  if (calls.length === 0)
    report('O3', [...path, 'tool_calls'], 'Cannot send an empty tool_calls: expected calls or no such field')
  for (const [index, call] of calls.entries()) lintCall(call, [...path, 'tool_calls', index], steps, report)
}

function lintCall(call: JSONValue, path: TranscriptPath, steps: PairingStep[], report: Report): void {
  const custom = field(call, 'type') === 'custom'
  const target = field(call, custom ? 'custom' : 'function')
  const id = field(call, 'id')
  const name = field(target, 'name')
  if (typeof id !== 'string' || typeof name !== 'string' || (!custom && field(call, 'type') !== 'function')) {
    report(
      'C0',
      path,
      `Cannot read the call: received ${kindOf(call)}, expected { id, type, function: { name, arguments } }`,
    )
    return
  }
  steps.push({ type: 'call', id, path })
  if (id === '') report('O3', [...path, 'id'], 'Cannot send a call without id: expected a text')
  if (id.length > ID_LENGTH_MAX)
    report(
      'O3',
      [...path, 'id'],
      `Cannot send an id of ${id.length} characters: expected at most ${ID_LENGTH_MAX}`,
      'unconfirmed',
    )
  if (!/^[a-zA-Z0-9_-]{1,64}$/.test(name))
    report(
      'O6',
      [...path, 'function', 'name'],
      `Cannot send the tool name "${name}": expected 1 to 64 letters, digits, _ or -`,
      'unconfirmed',
    )
  const given = field(target, custom ? 'input' : 'arguments')
  if (typeof given !== 'string')
    report('O3', path, `Cannot read the arguments: received ${kindOf(given)}, expected text`)
  else if (!custom && parseArguments(given) === undefined)
    report('O3', path, `Cannot send the call "${id}": its arguments are not a JSON object`)
}

function lintTool(message: JSONObject, path: TranscriptPath, steps: PairingStep[], report: Report): void {
  const id = message['tool_call_id']
  if (typeof id !== 'string')
    report('O1', path, `Cannot send a tool message without tool_call_id: received ${kindOf(id)}`)
  else steps.push({ type: 'result', id, path })
  lintContent(message['content'], path, EMPTY_ALLOWED, report)
}

/** O5, and what the strict profile adds (O7). */
function lintRoles(messages: readonly JSONValue[], base: TranscriptPath, report: Report): void {
  const roles = messages.map((message) => field(message, 'role'))
  const developer = roles.indexOf('developer')
  if (developer !== -1 && roles.includes('system'))
    report('O5', [...base, developer], 'Roles system and developer in one transcript: a model family takes one of them')
  const start = roles.findIndex((role) => role !== 'system' && role !== 'developer')
  if (report.options.profile !== 'openai-compatible-strict') {
    if (start !== -1 && roles[start] !== 'user')
      report(
        'C7',
        [...base, start],
        'Transcript starts in the middle of a turn: a window is safely cut before a user message',
      )
    return
  }
  if (start === -1 && messages.length > 0)
    report('O7', base, 'Cannot send a transcript of system messages only: expected a user message')
  for (const [index, role] of roles.entries()) {
    const path = [...base, index]
    if ((role === 'system' || role === 'developer') && index > 0)
      report('O7', path, 'Cannot send a system message after the first message')
    else if (role === roles[index - 1] && role !== 'tool')
      report('O7', path, `Cannot send two messages with role "${String(role)}" in a row`)
    if (index === start && role !== 'user')
      report('O7', path, `Cannot start with role "${String(role)}": expected user`)
    if (role === 'assistant' && typeof field(messages[index], 'content') !== 'string')
      report('O7', path, 'Cannot send an assistant message with content that is not a string')
  }
}
