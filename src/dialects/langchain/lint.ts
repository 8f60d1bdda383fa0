import type { JSONObject, JSONValue } from '../../domain/json.ts'
import { arrayOf, field, isArray, isObject, kindOf } from '../canonical/json.ts'
import { lintDrafts } from '../canonical/lint.ts'
import { placeReading } from '../canonical/locate.ts'
import type { Report } from '../codec.ts'
import type { TranscriptPath } from '../violation.ts'
import { isMalformedContent, langchainMessages, readLangChain, unwrap } from './read.ts'

/** LangChain has no rules of its own: shapes, and the invariants of every dialect. */
export function lintLangChain(wire: unknown, report: Report): void {
  const opened = langchainMessages(wire)
  if (opened === undefined) {
    report('C0', [], `Cannot read the transcript: received ${kindOf(wire)}, expected an array of messages`)
    return
  }
  if (opened.messages.length === 0)
    report('C1', opened.path, 'Cannot send a transcript without messages: expected at least one')
  for (const [index, message] of opened.messages.entries()) lintMessage(message, [...opened.path, index], report)
  const { reading, locate } = placeReading()
  const drafts = readLangChain(wire, reading) ?? []
  lintDrafts(drafts, locate(drafts), report)
}

const DICT_ROLES: readonly unknown[] = ['system', 'developer', 'user', 'assistant', 'tool']

function lintMessage(message: JSONValue, path: TranscriptPath, report: Report): void {
  const stored = unwrap(message)
  if (stored === undefined) {
    const role = field(message, 'role')
    if (!DICT_ROLES.includes(role))
      report('C0', path, `Cannot read the message: received ${kindOf(message)}, expected a LangChain message`)
    else lintDict(message as JSONObject, path, report)
    return
  }
  const { data, type } = stored
  const at = stored.key === undefined ? path : [...path, stored.key]
  lintContent(data['content'], [...at, 'content'], report)
  if (type === 'tool' && typeof data['tool_call_id'] !== 'string')
    report('C2', at, 'Cannot send a tool message without tool_call_id')
  if (type !== 'ai') return
  const { tool_calls: calls } = data
  if (calls !== undefined && !isArray(calls))
    report('C0', [...at, 'tool_calls'], `Cannot read tool_calls: received ${kindOf(calls)}, expected an array`)
  for (const [index, call] of arrayOf(calls).entries()) {
    const sound = typeof field(call, 'id') === 'string' && typeof field(call, 'name') === 'string'
    if (!sound)
      report(
        'C0',
        [...at, 'tool_calls', index],
        `Cannot read the call: received ${kindOf(call)}, expected { id, name, args }`,
      )
    else if (!isObject(field(call, 'args')))
      report(
        'C9',
        [...at, 'tool_calls', index],
        `Cannot send args: received ${kindOf(field(call, 'args'))}, expected an object`,
      )
  }
}

/** An OpenAI-style dict: content that the reader skipped is malformed. */
function lintDict(message: JSONObject, path: TranscriptPath, report: Report): void {
  const { content, tool_calls: calls, role } = message
  const absent = (content === null || content === undefined) && role === 'assistant'
  if (!absent) lintContent(content, [...path, 'content'], report)
  for (const [index, call] of arrayOf(calls).entries()) {
    const target = field(call, 'function')
    const sound =
      typeof field(call, 'id') === 'string' &&
      typeof field(target, 'name') === 'string' &&
      typeof field(target, 'arguments') === 'string'
    if (!sound)
      report(
        'C0',
        [...path, 'tool_calls', index],
        `Cannot read the call: received ${kindOf(call)}, expected { id, function }`,
      )
  }
}

function lintContent(content: unknown, path: TranscriptPath, report: Report): void {
  if (typeof content === 'string') return
  if (!isArray(content)) {
    report('C0', path, `Cannot read the content: received ${kindOf(content)}, expected text or blocks`)
    return
  }
  for (const [index, block] of content.entries()) {
    if (isMalformedContent(block))
      report('C0', [...path, index], `Cannot read the block: received ${kindOf(block)}, expected an object with a type`)
  }
}
