import {
  type AppendEventRequest,
  BaseSessionService,
  type CompositeSessionKey,
  type CreateSessionRequest,
  type DeleteSessionRequest,
  type Event,
  type GetSessionRequest,
  type ListSessionsRequest,
  type ListSessionsResponse,
  type Session,
} from '@google/adk'
import { defined } from '../../domain/defined.ts'
import type { Memory } from '../../api/memory.ts'
import type { Records, StoredRecord } from '../../api/records.ts'
import type { Session as LogSession } from '../../api/session.ts'
import { MemoryError } from '../../domain/error.ts'
import type { JSONObject, JSONValue } from '../../domain/json.ts'
import { entryOf } from '../entries/entry-of.ts'
import { forgetSession } from '../entries/forget-session.ts'
import { pageOf } from './page-of.ts'
import { recentEvents } from './recent-events.ts'
import { sessionKeys } from './session-keys.ts'
import { storeEvent } from './store-event.ts'
import { ADK } from './kept-event.ts'
import { type AdkMemoryOptions, checkAdkMemory, userScope } from './user-scope.ts'

const TRIES_MAX = 100
const RECORDS_PER_PAGE = 1_000

/** A session as it was created. Everything else about it is in its events. */
interface Created {
  readonly state: JSONObject
}

/**
 * A session service of Google's ADK in the log: `new Runner({ appName, agent, sessionService: new DaybookSessionService(memory) })`.
 *
 * Each user has a scope. Events come back as they were given, and what they say is recalled and learned from like all messages.
 *
 * @example
 * import { openMemory } from 'daybook'
 * import { DaybookSessionService } from 'daybook/adk'
 * await using memory = await openMemory(':memory:')
 * const sessions = new DaybookSessionService(memory)
 * const session = await sessions.createSession({ appName: 'shop', userId: 'ada' })
 * console.log(session.id)
 */
export class DaybookSessionService extends BaseSessionService {
  readonly #memory: Pick<Memory, 'scope'>
  readonly #below: string

  constructor(memory: Pick<Memory, 'scope'>, options: AdkMemoryOptions = {}) {
    super()
    checkAdkMemory('use a session service', memory, options)
    this.#memory = memory
    this.#below = options.below ?? 'adk'
  }

  /** @throws {MemoryError} `log/exists` if the user has a session of this id. */
  async createSession({ appName, userId, state = {}, sessionId }: CreateSessionRequest): Promise<Session> {
    const key = { appName, userId, sessionId: sessionId || crypto.randomUUID() }
    const kept = Object.fromEntries(Object.entries(state).filter(([name]) => !name.startsWith('temp:')))
    const content = JSON.parse(JSON.stringify({ state: kept })) as JSONObject
    try {
      const { at } = await this.#records().put(sessionKeys.session(key), content, { expect: 0 })
      return await this.#merged(key, { state: kept, events: [], lastUpdateTime: Date.parse(at) })
    } catch (error) {
      if (!MemoryError.is(error, 'records/conflict')) throw error
      throw new MemoryError(
        'log/exists',
        `Cannot create a session: ${JSON.stringify(key.sessionId)} exists, expected another id`,
        { session: key.sessionId },
      )
    }
  }

  async getSession({ config, ...key }: GetSessionRequest): Promise<Session | undefined> {
    const created = await this.#records().get(sessionKeys.session(key))
    if (created === undefined) return undefined
    const read = replay(created, await this.#log(key).history())
    return this.#merged(key, { ...read, events: recentEvents(read.events, config) })
  }

  async listSessions(request: ListSessionsRequest): Promise<ListSessionsResponse> {
    const sessions: Session[] = []
    for await (const record of this.#recordsBelow(sessionKeys.sessions(request))) {
      const { sessionId: id, ...owner } = sessionKeys.read(record.key)
      const [last] = await this.#log({ ...owner, sessionId: id }).history({ before: Number.MAX_SAFE_INTEGER, limit: 1 })
      const event = last === undefined ? undefined : (entryOf(ADK, last) as Event | undefined)
      sessions.push({ id, ...owner, state: {}, events: [], lastUpdateTime: event?.timestamp ?? Date.parse(record.at) })
    }
    return pageOf(sessions, request)
  }

  /** Destroys a session and its events, as `forget` does. */
  async deleteSession(key: DeleteSessionRequest): Promise<void> {
    const { appName, userId, sessionId } = key
    if ((await this.#records().get(sessionKeys.session(key))) === undefined) return
    await forgetSession(userScope(this.#memory, this.#below, { appName, userId }), sessionId)
    await this.#records().delete(sessionKeys.session(key))
  }

  /**
   * Stores an event, once by its id. The session that was given has it, too.
   *
   * @throws {MemoryError} `log/not-found` if there is no such session.
   */
  override async appendEvent({ session, event }: AppendEventRequest): Promise<Event> {
    if (event.partial === true) return event
    const key = { appName: session.appName, userId: session.userId, sessionId: session.id }
    if ((await this.#records().get(sessionKeys.session(key))) === undefined)
      throw new MemoryError(
        'log/not-found',
        `Cannot append an event: there is no session ${JSON.stringify(session.id)}, create it first`,
        { session: session.id },
      )
    await storeEvent(this.#log(key), event)
    await this.#share(sessionKeys.app(key), 'app:', event)
    await this.#share(sessionKeys.user(key), 'user:', event)
    await super.appendEvent({ session, event })
    session.lastUpdateTime = event.timestamp
    return event
  }

  /** Writes what an event says about the application or the user, for all their sessions. */
  async #share(key: string, prefix: string, event: Event): Promise<void> {
    const delta = Object.entries(event.actions?.stateDelta ?? {}).filter(([name]) => name.startsWith(prefix))
    if (delta.length === 0) return
    const changed = JSON.parse(
      JSON.stringify(Object.fromEntries(delta.map(([name, value]) => [name.slice(prefix.length), value]))),
    ) as JSONObject
    for (let tries = 1; ; tries++) {
      const before = await this.#records().get(key)
      try {
        const content = { ...(before?.json as JSONObject | undefined), ...changed }
        await this.#records().put(key, content, { expect: before?.version ?? 0 })
        return
      } catch (error) {
        if (!MemoryError.is(error, 'records/conflict') || tries >= TRIES_MAX) throw error
      }
    }
  }

  /** A session with the state of its application and its user. */
  async #merged(
    { sessionId, ...owner }: CompositeSessionKey,
    { state, events, lastUpdateTime }: Pick<Session, 'state' | 'events' | 'lastUpdateTime'>,
  ): Promise<Session> {
    const [app, user] = await Promise.all(
      [sessionKeys.app(owner), sessionKeys.user(owner)].map((key) => this.#records().get(key)),
    )
    const shared = [...named('app:', app), ...named('user:', user)]
    return {
      id: sessionId,
      appName: owner.appName,
      userId: owner.userId,
      state: Object.fromEntries([...Object.entries(state), ...shared]),
      events,
      lastUpdateTime,
    }
  }

  async *#recordsBelow(prefix: string): AsyncGenerator<StoredRecord> {
    for (let after: string | undefined; ;) {
      const given = { prefix, limit: RECORDS_PER_PAGE, ...defined({ after }) }
      const page = await this.#records().list(given)
      yield* page
      after = page.at(-1)?.key
      if (page.length < RECORDS_PER_PAGE) return
    }
  }

  #records(): Records {
    return this.#memory.scope(this.#below).records(ADK)
  }

  #log({ sessionId, ...owner }: CompositeSessionKey): LogSession {
    return userScope(this.#memory, this.#below, owner).session(sessionId)
  }
}

/** What the events make of a session. An event that was stored again takes the place of the one before. */
function replay(
  created: StoredRecord,
  history: Awaited<ReturnType<LogSession['history']>>,
): Pick<Session, 'state' | 'events' | 'lastUpdateTime'> {
  const state = new Map<string, unknown>(Object.entries((created.json as unknown as Created).state))
  const events = new Map<string, Event>()
  let lastUpdateTime = Date.parse(created.at)
  for (const message of history) {
    const event = entryOf(ADK, message) as Event | undefined
    if (event === undefined) continue
    events.set(event.id, event)
    for (const [name, value] of Object.entries(event.actions?.stateDelta ?? {})) state.set(name, value)
    lastUpdateTime = event.timestamp
  }
  return { state: Object.fromEntries(state), events: [...events.values()], lastUpdateTime }
}

function named(prefix: string, record: StoredRecord | undefined): readonly (readonly [string, JSONValue])[] {
  return Object.entries((record?.json ?? {}) as JSONObject).map(([name, value]) => [`${prefix}${name}`, value])
}
