import type { JSONObject, JSONValue } from '../../domain/json.ts'
import { field, isArray, isObject, kindOf } from '../canonical/json.ts'
import type { Report } from '../codec.ts'
import type { TranscriptPath } from '../violation.ts'
import { isMalformedBlock, RESULT_BLOCKS } from './read.ts'

type Check = (block: JSONObject, path: TranscriptPath, report: Report) => void

/** The rules that one block can break by itself. */
export function lintBlock(block: JSONValue, path: TranscriptPath, report: Report): void {
  if (!isObject(block) || typeof block['type'] !== 'string') {
    report('C0', path, `Cannot read the block: received ${kindOf(block)}, expected an object with a type`)
    return
  }
  const check = CHECKS.get(block['type'])
  if (check !== undefined) check(block, path, report)
  else if (block['type'].endsWith('_tool_result')) {
    if (typeof block['tool_use_id'] !== 'string')
      report('C0', path, `Cannot read the ${block['type']}: expected a tool_use_id`)
  } else report('C0', path, `Block of unknown type "${block['type']}"`, 'warning')
}

function lintText(block: JSONObject, path: TranscriptPath, report: Report): void {
  const { text } = block
  if (typeof text !== 'string')
    report('C0', path, `Cannot read the text block: received ${kindOf(text)}, expected text`)
  else if (text === '') report('A9', path, 'Cannot send an empty text block: expected text')
  else if (text.trim() === '') report('A9', path, 'Cannot send a blank text block: expected text', 'unconfirmed')
}

function lintThinking(block: JSONObject, path: TranscriptPath, report: Report): void {
  const [text, seal] = block['type'] === 'thinking' ? [block['thinking'], block['signature']] : ['', block['data']]
  if (typeof text !== 'string')
    report('C0', path, `Cannot read the thinking block: received ${kindOf(text)}, expected text`)
  else if (typeof seal !== 'string' || seal === '')
    report('A11', path, 'Cannot send thinking without its signature: expected the block unchanged')
  if ((block['cache_control'] ?? null) !== null) report('A12', path, 'Cannot put cache_control on a thinking block')
}

function lintCall(block: JSONObject, path: TranscriptPath, report: Report): void {
  const { id, name, input } = block
  if (typeof id !== 'string' || typeof name !== 'string') {
    report('C0', path, 'Cannot read the call: expected id, name and input')
    return
  }
  if (!isObject(input))
    report('A8', [...path, 'input'], `Cannot send the input of "${id}": received ${kindOf(input)}, expected an object`)
  if (!/^[a-zA-Z0-9_-]+$/.test(id))
    report('A7', [...path, 'id'], `Cannot send the id "${id}": expected letters, digits, _ and -`, 'unconfirmed')
}

function lintResult(block: JSONObject, path: TranscriptPath, report: Report): void {
  const { content } = block
  if (typeof block['tool_use_id'] !== 'string') report('C0', path, 'Cannot read the result: expected a tool_use_id')
  if (content === undefined || typeof content === 'string') return
  if (!isArray(content)) {
    report(
      'C0',
      [...path, 'content'],
      `Cannot read the result's content: received ${kindOf(content)}, expected text or blocks`,
    )
    return
  }
  for (const [index, inner] of content.entries()) {
    const type = field(inner, 'type')
    const at = [...path, 'content', index]
    if (typeof type === 'string' && !RESULT_BLOCKS.has(type))
      report('A17', at, `Cannot send a block of type "${type}" in a result`)
    else if (type === 'text' || type === 'image' || type === 'document' || typeof type !== 'string')
      lintBlock(inner, at, report)
  }
}

function lintMedia(block: JSONObject, path: TranscriptPath, report: Report): void {
  const source = block['source']
  const type = field(source, 'type')
  const inline = type === 'url' ? typeof field(source, 'url') === 'string' : typeof field(source, 'data') === 'string'
  const typed = block['type'] === 'document' || type !== 'base64' || typeof field(source, 'media_type') === 'string'
  const placed = block['type'] === 'document' || type !== 'text'
  if (isMalformedBlock(block) && !(inline && typed && placed))
    report('C0', path, 'Cannot read the source: expected base64, text, url or file')
}

function lintCompaction(block: JSONObject, path: TranscriptPath, report: Report): void {
  const { content } = block
  if (content !== null && (typeof content !== 'string' || content === ''))
    report('A14', path, 'Cannot send a compaction block without its content: expected it unchanged')
}

const CHECKS: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['text', lintText],
  ['thinking', lintThinking],
  ['redacted_thinking', lintThinking],
  ['tool_use', lintCall],
  ['server_tool_use', lintCall],
  ['mcp_tool_use', lintCall],
  ['tool_result', lintResult],
  ['image', lintMedia],
  ['document', lintMedia],
  ['compaction', lintCompaction],
])
