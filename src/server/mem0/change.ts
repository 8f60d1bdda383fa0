import { defined } from '../../domain/defined.ts'
import type { Session } from '../../api/session.ts'
import { MemoryError } from '../../domain/error.ts'
import type { JSONObject, JSONValue } from '../../domain/json.ts'
import type { Message } from '../../domain/message.ts'
import { refuse } from '../../domain/refuse.ts'
import type { Mem0Call } from './mem0-call.ts'
import { type Mem0Place, memoryNotFound, readMemoryId, writeMemoryId } from './memory-id.ts'
import { MEM0, isMemory, keptOf, memoryJson, textOfMemory } from './memory-json.ts'

const BATCH_MAX = 1_000
const FEEDBACK: readonly unknown[] = ['POSITIVE', 'NEGATIVE', 'VERY_NEGATIVE', null]

interface Found {
  readonly place: Mem0Place
  readonly session: Session
  readonly message: Message
  readonly kept: JSONObject
}

export async function getMemory(call: Mem0Call): Promise<JSONObject> {
  const { place, message } = await find(call, call.names['id'] ?? '')
  return { ...memoryJson(place, message), lifecycle_state: 'active' }
}

export async function updateMemory(call: Mem0Call): Promise<JSONObject> {
  return update(call, call.names['id'] ?? '', call.body)
}

/** Takes a memory out. The log keeps it, so `history` shows it and a person can restore it; deleting an owner destroys. */
export async function deleteMemory(call: Mem0Call): Promise<JSONObject> {
  await remove(call, call.names['id'] ?? '')
  return { message: 'Memory deleted successfully!' }
}

export async function updateBatch(call: Mem0Call): Promise<JSONObject> {
  const memories = batchOf(call)
  // All are looked up first, so that an unknown id changes nothing.
  for (const { memory_id: id } of memories) await find(call, String(id))
  for (const { memory_id: id, ...fields } of memories) await update(call, String(id), fields)
  return { message: `Successfully updated ${memories.length} memories` }
}

export async function deleteBatch(call: Mem0Call): Promise<JSONObject> {
  const memories = batchOf(call)
  for (const { memory_id: id } of memories) await find(call, String(id))
  for (const { memory_id: id } of memories) await remove(call, String(id))
  return { message: `Successfully deleted ${memories.length} memories` }
}

/** What was done to a memory, oldest first. */
export async function memoryHistory(call: Mem0Call): Promise<readonly JSONObject[]> {
  const { place, message, kept } = await findAny(call, call.names['id'] ?? '')
  const versions = versionsOf(kept)
  const texts = [...versions.map(({ memory }) => String(memory)), textOfMemory(message)]
  const times = [message.at, ...versions.map(({ until }) => String(until))]
  const shared = { memory_id: writeMemoryId(place), input: [], metadata: kept['metadata'] ?? null, categories: [] }
  const user = (kept['owner'] as JSONObject | undefined)?.['user_id'] ?? null
  const done = texts.map((text, index): JSONObject => {
    const at = times[index] ?? message.at
    const event = index === 0 ? 'ADD' : 'UPDATE'
    const changed = { old_memory: texts[index - 1] ?? null, new_memory: text, event }
    return { id: `${place.id}-${index}`, ...shared, ...changed, user_id: user, created_at: at, updated_at: at }
  })
  if (message.removed !== true) return done
  const at = kept['deleted_at'] ?? message.at
  const last = { old_memory: texts.at(-1) ?? null, new_memory: null, event: 'DELETE' }
  return [...done, { id: `${place.id}-end`, ...shared, ...last, user_id: user, created_at: at, updated_at: at }]
}

export async function giveFeedback(call: Mem0Call): Promise<JSONObject> {
  const { memory_id: id, feedback = null, feedback_reason: reason = null } = call.body
  if (!FEEDBACK.includes(feedback)) refuse('give feedback', 'feedback', feedback, 'POSITIVE, NEGATIVE or VERY_NEGATIVE')
  const { session, message, kept } = await find(call, String(id))
  await session.revise(message.id, { metadata: metadataWith(message, { ...kept, feedback, feedback_reason: reason }) })
  return { id: String(id), feedback, feedback_reason: reason }
}

async function update(call: Mem0Call, id: string, fields: JSONObject): Promise<JSONObject> {
  const { place, session, message, kept } = await find(call, id)
  if (kept['immutable'] === true) refuse('update a memory', 'memory_id', id, 'a memory that was not added as immutable')
  const { text, metadata, expiration_date: last } = fields
  if (text !== undefined && (typeof text !== 'string' || text.trim() === ''))
    refuse('update a memory', 'text', text, 'a text')
  const now = new Date().toISOString()
  const before = { memory: textOfMemory(message), until: now }
  const changed: JSONObject = {
    ...kept,
    ...defined({ metadata, expiration_date: last }),
    ...(text === undefined ? {} : { versions: [...versionsOf(kept), before] }),
    updated_at: now,
  }
  const revised = await session.revise(message.id, {
    ...defined({ content: text }),
    metadata: metadataWith(message, changed),
  })
  return memoryJson(place, revised)
}

async function remove(call: Mem0Call, id: string): Promise<void> {
  const { session, message, kept } = await find(call, id)
  const noted = { ...kept, deleted_at: new Date().toISOString() }
  await session.revise(message.id, { metadata: metadataWith(message, noted) })
  await session.remove(message.id)
}

/** @throws {MemoryError} `log/not-found` if there is no such memory, or it was deleted. */
async function find(call: Mem0Call, id: string): Promise<Found> {
  const found = await findAny(call, id)
  if (!isMemory(found.message)) throw memoryNotFound()
  return found
}

async function findAny(call: Mem0Call, id: string): Promise<Found> {
  const place = readMemoryId(call, id)
  const session = call.memory.scope(place.scope).session(place.session)
  let message: Message | undefined
  try {
    message = await session.get(place.id)
  } catch (error) {
    if (!MemoryError.is(error, 'log/not-found')) throw error
  }
  const kept = message === undefined ? undefined : keptOf(message)
  if (message === undefined || kept?.['listed'] !== true) throw memoryNotFound()
  return { place, session, message, kept }
}

function metadataWith({ metadata }: Message, kept: JSONObject): JSONObject {
  return { ...metadata, [MEM0]: kept }
}

function versionsOf(kept: JSONObject): readonly JSONObject[] {
  return (kept['versions'] ?? []) as readonly JSONObject[]
}

function batchOf({ body }: Mem0Call): readonly (JSONObject & { readonly memory_id: JSONValue })[] {
  const { memories } = body
  const isBatch =
    Array.isArray(memories) &&
    memories.length > 0 &&
    memories.length <= BATCH_MAX &&
    memories.every((one) => typeof one === 'object' && one !== null && 'memory_id' in one)
  if (!isBatch) refuse('change memories', 'memories', memories, `1 to ${BATCH_MAX} objects with a memory_id`)
  return memories as readonly (JSONObject & { readonly memory_id: JSONValue })[]
}
