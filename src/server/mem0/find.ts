import { setImmediate } from 'node:timers/promises'
import { MemoryError } from '../../domain/error.ts'
import type { JSONObject, JSONValue } from '../../domain/json.ts'
import { refuse } from '../../domain/refuse.ts'
import { checkFilter, matches, scopesWanted } from './filter.ts'
import type { Mem0Call } from './mem0-call.ts'
import { added } from './add.ts'
import { readEventId } from './event-id.ts'
import { allRemembered } from './all-remembered.ts'
import { isMemory, memoryJson } from './memory-json.ts'
import { ownerFrom } from './owner.ts'
import { ownerScopes } from './owner-scopes.ts'
import { type Remembered, isPast } from './remembered.ts'
import { searchRemembered } from './search-remembered.ts'

const TOP_DEFAULT = 10
const TOP_MAX = 1_000
const THRESHOLD = 0.1
const PAGE_DEFAULT = 100
const PAGE_MAX = 200
/** Recall reads more than is wanted, since filters take some away. */
const CANDIDATES_PER_RESULT = 5
const CANDIDATES_MAX = 200
const SCOPES_MAX = 1_000
/** Of more users than this, those that have something are looked up first: reading a scope costs more. */
const SCOPES_READ_UNSEEN = 10

/** Memories that bear on a question, best first. */
export async function searchMemories(call: Mem0Call): Promise<JSONObject> {
  const { memory, base, body } = call
  const { query } = body
  if (typeof query !== 'string' || query.trim() === '') refuse('search memories', 'query', query, 'a text')
  const filter = filterOf(call)
  const top = numberFrom(body, 'top_k', numberFrom(body, 'limit', TOP_DEFAULT, TOP_MAX), TOP_MAX)
  const threshold = typeof body['threshold'] === 'number' ? body['threshold'] : THRESHOLD
  const limit = Math.min(CANDIDATES_MAX, top * CANDIDATES_PER_RESULT)
  const found: JSONObject[] = []
  for (const scope of await scopesFor(call, filter)) {
    for (const { memory: one, relevance } of await searchRemembered(memory.scope(scope), query, limit)) {
      if (relevance < threshold || !isWanted(call, one)) continue
      const json = { ...memoryJson(base, scope, one), score: relevance }
      if (matches(filter, json)) found.push(json)
    }
    await setImmediate()
  }
  return { results: found.toSorted((a, b) => Number(b['score']) - Number(a['score'])).slice(0, top) }
}

/** Memories by page, newest first. */
export async function listMemories(call: Mem0Call): Promise<JSONObject> {
  const filter = filterOf(call)
  const page = Math.max(1, numberFrom(call.query, 'page', 1, Number.MAX_SAFE_INTEGER))
  const size = numberFrom(call.query, 'page_size', numberFrom(call.query, 'top_k', PAGE_DEFAULT, PAGE_MAX), PAGE_MAX)
  const all: JSONObject[] = []
  for (const scope of await scopesFor(call, filter)) {
    for (const one of await allRemembered(call.memory.scope(scope))) {
      const json = memoryJson(call.base, scope, one)
      if (isWanted(call, one) && matches(filter, json)) all.push(json)
    }
    // Other callers wait for this one otherwise.
    await setImmediate()
  }
  all.sort((a, b) => (String(b['created_at']) < String(a['created_at']) ? -1 : 1))
  const from = (page - 1) * size
  const address = (number: number): JSONValue => `?page=${number}&page_size=${size}`
  return {
    count: all.length,
    next: from + size < all.length ? address(page + 1) : null,
    previous: page > 1 ? address(page - 1) : null,
    results: all.slice(from, from + size),
  }
}

/** What came of an add. Messages are stored before the add returns, so it has always succeeded. */
export async function readEvent(call: Mem0Call): Promise<JSONObject> {
  const { scope, session, first, count } = readEventId(call, call.names['id'] ?? '')
  const messages = await call.memory
    .scope(scope)
    .session(session)
    .history({ after: first - 1, limit: count })
  const [message] = messages
  if (message === undefined) throw new MemoryError('log/not-found', 'Event not found!')
  return {
    id: call.names['id'] ?? '',
    event_type: 'ADD',
    status: 'SUCCEEDED',
    payload: {},
    results: messages.filter(isMemory).map((one) => added(call.base, { scope, session }, one)),
    created_at: message.at,
    updated_at: message.at,
    started_at: message.at,
    completed_at: message.at,
    latency: 0,
  }
}

/** Owners at the top, as older clients send them, are a filter too. */
function filterOf({ body, query }: Mem0Call): JSONObject {
  const owner = { ...ownerFrom(query), ...ownerFrom(body) } as JSONObject
  const given = body['filters'] ?? {}
  const filter = Object.keys(owner).length === 0 ? given : { AND: [owner, given] }
  checkFilter(filter)
  return filter
}

/** The scopes to look into that are there. */
async function scopesFor({ memory, base }: Mem0Call, filter: JSONObject): Promise<readonly string[]> {
  const wanted = scopesWanted(base, filter)
  if (wanted !== undefined && wanted.size > SCOPES_MAX)
    refuse('filter memories', 'filters', wanted.size, `at most ${SCOPES_MAX} users`)
  if (wanted !== undefined && wanted.size <= SCOPES_READ_UNSEEN) return [...wanted]
  const scopes: string[] = []
  for await (const { scope } of ownerScopes(memory, base))
    if ((wanted === undefined || wanted.has(scope)) && scopes.push(scope) > SCOPES_MAX) break
  if (scopes.length > SCOPES_MAX)
    refuse('filter memories', 'filters', scopes.length, `a user_id, since there are more than ${SCOPES_MAX} owners`)
  return scopes
}

function isWanted({ body }: Mem0Call, memory: Remembered): boolean {
  return body['show_expired'] === true || !isPast(memory, Date.now())
}

function numberFrom(fields: Readonly<Record<string, unknown>>, name: string, otherwise: number, max: number): number {
  const given = fields[name]
  if (given === undefined || given === null || given === '') return otherwise
  const value = Number(given)
  if (!Number.isSafeInteger(value) || value < 1 || value > max)
    refuse('read memories', name, given, `a whole number from 1 to ${max}`)
  return value
}
