import type { MessageData } from '@strands-agents/sdk'
import type { JSONObject, JSONValue } from '../../domain/json.ts'
import type { NewMessage, NewPart } from '../../domain/new-message.ts'

/** A message of Strands as messages of the log: results of tools are one of their own. Blocks that are not text are kept as data. */
export function messagesFromStrands({ role, content }: MessageData, id: string): readonly NewMessage[] {
  const blocks = JSON.parse(JSON.stringify(content)) as readonly JSONObject[]
  const parts = blocks.flatMap(partFromBlock)
  const results = parts.filter(({ type }) => type === 'tool-result')
  const others = parts.filter(({ type }) => type !== 'tool-result')
  return [
    ...(results.length === 0 ? [] : [{ role: 'tool' as const, parts: results, id }]),
    ...(others.length === 0 ? [] : [{ role, parts: others, id: results.length === 0 ? id : `${id}#1` }]),
  ]
}

function partFromBlock(block: JSONObject): readonly NewPart[] {
  const { text, toolUse, toolResult } = block
  if (typeof text === 'string') return text === '' ? [] : [{ type: 'text', text }]
  if (toolUse !== undefined) {
    const { toolUseId, name, input } = toolUse as JSONObject
    const given =
      typeof input === 'object' && input !== null && !Array.isArray(input) ? (input as JSONObject) : { input }
    return [{ type: 'tool-call', id: String(toolUseId), name: String(name), arguments: given as JSONObject }]
  }
  if (toolResult !== undefined) {
    const { toolUseId, status, content = [] } = toolResult as JSONObject
    const texts = (content as readonly JSONObject[]).map((one) =>
      typeof one['text'] === 'string' ? one['text'] : JSON.stringify(one['json'] ?? one),
    )
    const outcome = status === 'error' ? 'error' : 'ok'
    return [{ type: 'tool-result', callId: String(toolUseId), output: texts.join('\n'), outcome }]
  }
  return [{ type: 'data', kind: 'strands:block', data: block as JSONValue }]
}
