import { defined } from '../../domain/defined.ts'
import type { Scope } from '../../api/scope.ts'
import { MemoryError } from '../../domain/error.ts'
import type { Fact } from '../../domain/fact.ts'
import type { JSONObject, JSONValue } from '../../domain/json.ts'
import type { Message } from '../../domain/message.ts'
import { refuse } from '../../domain/refuse.ts'
import { checkChangeable } from './check-changeable.ts'
import type { Mem0Call } from './mem0-call.ts'
import { type Mem0Place, memoryNotFound, readMemoryId, writeMemoryId } from './memory-id.ts'
import { MEM0, isMemory, keptOf, memoryJson, textOfMemory } from './memory-json.ts'
import { type Remembered, isStoredFact } from './remembered.ts'
import { replaceFact } from './replace-fact.ts'
import { takeOut } from './take-out.ts'

const BATCH_MAX = 1_000
const FEEDBACK: readonly unknown[] = ['POSITIVE', 'NEGATIVE', 'VERY_NEGATIVE', null]

/** A memory that was said, with what it keeps for Mem0's clients. */
interface Said {
  readonly kind: 'said'
  readonly session: string
  readonly message: Message
  readonly kept: JSONObject
}

interface Found {
  readonly scope: Scope
  readonly place: Mem0Place
  readonly memory: Said | Extract<Remembered, { readonly kind: 'fact' }>
}

export async function getMemory(call: Mem0Call): Promise<JSONObject> {
  const { scope, memory } = await find(call, call.names['id'] ?? '')
  return { ...memoryJson(call.base, scope.name, memory), lifecycle_state: 'active' }
}

export async function updateMemory(call: Mem0Call): Promise<JSONObject> {
  return update(call, call.names['id'] ?? '', call.body)
}

/** Takes a memory out, with what it taught. The log keeps it, so `history` shows it; deleting an owner destroys. */
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
  const { place, scope, memory } = await findAny(call, call.names['id'] ?? '')
  const { user_id: user = null, metadata = null } = memoryJson(call.base, scope.name, memory)
  const shared = { memory_id: writeMemoryId(place), input: [], metadata, categories: [], user_id: user }
  const steps = memory.kind === 'fact' ? stepsOfFact(memory.fact) : stepsOfMessage(memory)
  return steps.map(({ text, at }, index): JSONObject => {
    const event = text === null ? 'DELETE' : index === 0 ? 'ADD' : 'UPDATE'
    const changed = { old_memory: steps[index - 1]?.text ?? null, new_memory: text, event }
    return { id: `${place.id}-${index}`, ...shared, ...changed, created_at: at, updated_at: at }
  })
}

/** What a memory was from a time on; null once it was deleted. */
interface HistoryStep {
  readonly text: string | null
  readonly at: string
}

function stepsOfFact({ text, learnedAt, retractedAt }: Fact): readonly HistoryStep[] {
  return [{ text, at: learnedAt }, ...(retractedAt === null ? [] : [{ text: null, at: retractedAt }])]
}

function stepsOfMessage({ message, kept }: Said): readonly HistoryStep[] {
  const versions = versionsOf(kept)
  const times = [message.at, ...versions.map(({ until }) => String(until))]
  const texts = [...versions.map(({ memory }) => String(memory)), textOfMemory(message)]
  const steps = texts.map((text, index) => ({ text, at: times[index] ?? message.at }))
  return message.removed === true ? [...steps, { text: null, at: String(kept['deleted_at'] ?? message.at) }] : steps
}

export async function giveFeedback(call: Mem0Call): Promise<JSONObject> {
  const attempt = 'give feedback'
  const { memory_id: id, feedback = null, feedback_reason: reason = null } = call.body
  if (!FEEDBACK.includes(feedback)) refuse(attempt, 'feedback', feedback, 'POSITIVE, NEGATIVE or VERY_NEGATIVE')
  const { scope, memory } = await find(call, String(id))
  if (memory.kind === 'fact') return refuse(attempt, 'memory_id', id, 'a memory that was added: facts keep no feedback')
  const { session, message, kept } = memory
  const metadata = metadataWith(message, { ...kept, feedback, feedback_reason: reason })
  await scope.session(session).revise(message.id, { metadata })
  return { id: String(id), feedback, feedback_reason: reason }
}

async function update(call: Mem0Call, id: string, fields: JSONObject): Promise<JSONObject> {
  const attempt = 'update a memory'
  const { scope, memory } = await find(call, id)
  const { text, metadata, expiration_date: last } = fields
  if (text !== undefined && (typeof text !== 'string' || text.trim() === '')) refuse(attempt, 'text', text, 'a text')
  if (memory.kind === 'fact') {
    if (text === undefined) return refuse(attempt, 'text', text, 'a text: facts have no metadata')
    const fact = await replaceFact(scope, memory.fact, { text, channel: 'user' })
    return memoryJson(call.base, scope.name, { kind: 'fact', fact })
  }
  const { session, message, kept } = memory
  checkChangeable(id, message)
  const now = new Date().toISOString()
  const before = { memory: textOfMemory(message), until: now }
  const changed: JSONObject = {
    ...kept,
    ...defined({ metadata, expiration_date: last }),
    ...(text === undefined ? {} : { versions: [...versionsOf(kept), before] }),
    updated_at: now,
  }
  const revised = await scope.session(session).revise(message.id, {
    ...defined({ content: text }),
    metadata: metadataWith(message, changed),
  })
  return memoryJson(call.base, scope.name, { kind: 'said', session, message: revised })
}

async function remove(call: Mem0Call, id: string): Promise<void> {
  const { scope, memory } = await find(call, id)
  if (memory.kind === 'fact') {
    await scope.retract(memory.fact.id, 'deleted by a Mem0 client')
    return
  }
  await takeOut(scope, memory)
}

/** @throws {MemoryError} `log/not-found` if there is no such memory, or it was deleted. */
async function find(call: Mem0Call, id: string): Promise<Found> {
  const found = await findAny(call, id)
  const { scope, memory } = found
  if (memory.kind === 'fact' ? !isStoredFact(scope, memory.fact) : !isMemory(memory.message)) throw memoryNotFound()
  return found
}

/** The same, also of one that was deleted. */
async function findAny(call: Mem0Call, id: string): Promise<Found> {
  const place = readMemoryId(call, id)
  const scope = call.memory.scope(place.scope)
  if (place.session === undefined) {
    const fact = await scope.fact(place.id)
    if (fact?.scope !== scope.name) throw memoryNotFound()
    return { scope, place, memory: { kind: 'fact', fact } }
  }
  const { session } = place
  const message = await messageAt(scope, session, place.id)
  if (message === undefined) throw memoryNotFound()
  const kept = keptOf(message) ?? { listed: message.role === 'user' }
  if (kept['listed'] !== true) throw memoryNotFound()
  return { scope, place, memory: { kind: 'said', session, message, kept } }
}

async function messageAt(scope: Scope, session: string, id: string): Promise<Message | undefined> {
  try {
    return await scope.session(session).get(id)
  } catch (error) {
    if (MemoryError.is(error, 'log/not-found')) return undefined
    throw error
  }
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
