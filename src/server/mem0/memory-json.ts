import type { JSONObject, JSONValue } from '../../domain/json.ts'
import type { Message } from '../../domain/message.ts'
import { partText } from '../../domain/part-text.ts'
import { type Mem0Place, writeMemoryId } from './memory-id.ts'

/** The field of a message's metadata that is ours. */
export const MEM0 = 'mem0'

/** What a message keeps for Mem0's clients; nothing if it did not come from one. */
export function keptOf({ metadata }: Message): JSONObject | undefined {
  const kept = metadata?.[MEM0]
  return typeof kept === 'object' && kept !== null && !Array.isArray(kept) ? (kept as JSONObject) : undefined
}

export function isMemory(message: Message): boolean {
  return message.removed !== true && keptOf(message)?.['listed'] === true
}

/** Whether it is past its last day. */
export function isExpired(message: Message, now: number): boolean {
  const last = keptOf(message)?.['expiration_date']
  return typeof last === 'string' && Date.parse(`${last}T23:59:59.999Z`) < now
}

export function textOfMemory(message: Message): string {
  const shown = message.parts.map((part) =>
    partText(part, (media) => (media.source.type === 'url' ? media.source.url : `(${media.type})`)),
  )
  return shown.filter((text) => text !== '').join('\n')
}

/** A message as Mem0 shows a memory. */
export function memoryJson(place: Omit<Mem0Place, 'id'>, message: Message): JSONObject {
  const kept = keptOf(message) ?? {}
  const owner = (kept['owner'] ?? {}) as JSONObject
  const named = (name: string): JSONValue => owner[name] ?? null
  return {
    id: writeMemoryId({ ...place, id: message.id }),
    memory: textOfMemory(message),
    user_id: named('user_id'),
    agent_id: named('agent_id'),
    app_id: named('app_id'),
    run_id: named('run_id'),
    session_id: named('run_id'),
    metadata: kept['metadata'] ?? null,
    categories: [],
    immutable: kept['immutable'] === true,
    expiration_date: kept['expiration_date'] ?? null,
    created_at: message.at,
    updated_at: kept['updated_at'] ?? message.at,
  }
}
