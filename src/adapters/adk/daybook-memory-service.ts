import type { Event, MemoryEntry, SearchMemoryRequest, SearchMemoryResponse, Session } from '@google/adk'
import { defined } from '../../domain/defined.ts'
import type { Memory } from '../../api/memory.ts'
import type { RecallItem } from '../../api/recall.ts'
import type { Scope } from '../../api/scope.ts'
import { entryOf } from '../entries/entry-of.ts'
import { ADK } from './kept-event.ts'
import { storeEvent } from './store-event.ts'
import { type AdkMemoryOptions, checkAdkMemory, userScope } from './user-scope.ts'

const FOUND_MAX = 20
const QUESTION_CHARACTERS_MAX = 8_000

/**
 * A memory service of Google's ADK: an agent with the tool `LOAD_MEMORY` or `PRELOAD_MEMORY` finds what the user said in all sessions, and
 * what was learned from it.
 *
 * @example
 * import { openMemory } from 'daybook'
 * import { DaybookMemoryService } from 'daybook/adk'
 * await using memory = await openMemory(':memory:')
 * const found = new DaybookMemoryService(memory)
 * console.log(await found.searchMemory({ appName: 'shop', userId: 'ada', query: 'Where is my order?' }))
 */
export class DaybookMemoryService {
  readonly #memory: Pick<Memory, 'scope'>
  readonly #below: string

  constructor(memory: Pick<Memory, 'scope'>, options: AdkMemoryOptions = {}) {
    checkAdkMemory('use a memory service', memory, options)
    this.#memory = memory
    this.#below = options.below ?? 'adk'
  }

  /** Stores the events of a session of any session service. Those of `DaybookSessionService` are there already. */
  async addSessionToMemory(session: Session): Promise<void> {
    const log = userScope(this.#memory, this.#below, session).session(session.id)
    for (const event of session.events) if ((event.content?.parts?.length ?? 0) > 0) await storeEvent(log, event)
  }

  /** Finds what bears on a question, best first: events of this user, and facts. */
  async searchMemory({ query, ...owner }: SearchMemoryRequest): Promise<SearchMemoryResponse> {
    const scope = userScope(this.#memory, this.#below, owner)
    const question = query.trim().slice(0, QUESTION_CHARACTERS_MAX)
    if (question === '') return { memories: [] }
    const options = { kinds: ['message', 'fact'], limit: FOUND_MAX, relevant: true, fresh: true } as const
    const { items } = await scope.recall(question, options)
    // The question itself was just said, too.
    const others = items.filter(({ text }) => text !== question)
    return { memories: await Promise.all(others.map((item) => memoryEntry(scope, item))) }
  }
}

async function memoryEntry(scope: Scope, { source, text, at }: RecallItem): Promise<MemoryEntry> {
  const { session, id } = source
  const message = session === null || id === null ? undefined : await scope.session(session).get(id)
  const event = message === undefined ? undefined : (entryOf(ADK, message) as Event | undefined)
  if (event?.content === undefined) {
    const role = message?.role === 'assistant' ? 'model' : 'user'
    return { content: { role, parts: [{ text }] }, author: message?.name ?? role, timestamp: at }
  }
  return {
    content: event.content,
    ...defined({ author: event.author }),
    timestamp: new Date(event.timestamp).toISOString(),
  }
}
