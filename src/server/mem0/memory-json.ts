import type { JSONObject, JSONValue } from '../../domain/json.ts'
import type { Message } from '../../domain/message.ts'
import { partText } from '../../domain/part-text.ts'
import { writeMemoryId } from './memory-id.ts'
import { type Owner, ownerOfScope } from './owner.ts'
import type { Remembered } from './remembered.ts'

/** The field of a message's metadata that is ours. */
export const MEM0 = 'mem0'

/** What a message keeps for Mem0's clients; nothing if it did not come from one. */
export function keptOf({ metadata }: Message): JSONObject | undefined {
  const kept = metadata?.[MEM0]
  return typeof kept === 'object' && kept !== null && !Array.isArray(kept) ? (kept as JSONObject) : undefined
}

/** Whether a message is a memory: it was added as one, or the user said it, to whatever program. */
export function isMemory(message: Message): boolean {
  const kept = keptOf(message)
  return message.removed !== true && (kept === undefined ? message.role === 'user' : kept['listed'] === true)
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

/** A memory as Mem0 shows it. */
export function memoryJson(base: string, scope: string, memory: Remembered): JSONObject {
  if (memory.kind === 'fact') {
    const { id, text, learnedAt } = memory.fact
    return { id: writeMemoryId({ scope, id }), memory: text, ...fieldsOf(ownerIn(base, scope), {}, learnedAt) }
  }
  const { session, message } = memory
  const kept = keptOf(message)
  const owner = (kept?.['owner'] ?? ownerIn(base, scope)) as Owner
  return {
    id: writeMemoryId({ scope, session, id: message.id }),
    memory: textOfMemory(message),
    ...fieldsOf(owner, kept ?? {}, message.at),
  }
}

/** Of what came through another door, the scope says whose it is. */
function ownerIn(base: string, scope: string): Owner {
  const owner = ownerOfScope(base, scope)
  return owner === undefined ? {} : { [`${owner.kind}_id`]: owner.name }
}

function fieldsOf(owner: Owner, kept: JSONObject, at: string): JSONObject {
  const named = (name: keyof Owner): JSONValue => owner[name] ?? null
  return {
    user_id: named('user_id'),
    agent_id: named('agent_id'),
    app_id: named('app_id'),
    run_id: named('run_id'),
    session_id: named('run_id'),
    metadata: kept['metadata'] ?? null,
    categories: [],
    immutable: kept['immutable'] === true,
    expiration_date: kept['expiration_date'] ?? null,
    created_at: at,
    updated_at: kept['updated_at'] ?? at,
  }
}
