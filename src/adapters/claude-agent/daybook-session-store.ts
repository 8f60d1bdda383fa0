import {
  type SessionKey,
  type SessionStoreEntry,
  type SessionSummaryEntry,
  foldSessionSummary,
} from '@anthropic-ai/claude-agent-sdk'
import { defined } from '../../domain/defined.ts'
import type { Scope } from '../../api/scope.ts'
import type { Session } from '../../api/session.ts'
import type { SessionSummary } from '../../api/sessions.ts'
import type { JSONObject, JSONValue } from '../../domain/json.ts'
import type { Draft } from '../../domain/message.ts'
import { checkScopeHandle } from '../../domain/check-scope-handle.ts'
import { refuse } from '../../domain/refuse.ts'
import { entryOf } from '../entries/entry-of.ts'
import { forgetSession } from '../entries/forget-session.ts'
import { storeEntries } from '../entries/store-entries.ts'
import { entryMessages } from './entry-messages.ts'
import { readTranscriptId, transcriptId } from './transcript-id.ts'

const ATTEMPT = 'use a store of transcripts'
const HOST = 'claude-agent'
const SUMMARY = 'claude-agent:summary'
const SESSIONS_PER_PAGE = 200

/**
 * A `SessionStore` of the Claude Agent SDK in the log: `query({ prompt, options: { sessionStore: new DaybookSessionStore(scope) } })`.
 *
 * Entries come back as they were given, each stored once by its `uuid`. What was said is recalled and learned from like all messages.
 *
 * @example
 * import { openMemory } from 'daybook'
 * import { DaybookSessionStore } from 'daybook/claude-agent'
 * await using memory = await openMemory(':memory:')
 * const store = new DaybookSessionStore(memory.scope('acme/ada'))
 * await store.append({ projectKey: 'shop', sessionId: 's1' }, [{ type: 'custom-title', customTitle: 'Order 7731' }])
 * console.log(await store.listSessions('shop'))
 */
export class DaybookSessionStore {
  readonly #scope: Scope
  /** The last append to each transcript that is still under way: later ones are stored after it. */
  readonly #appending = new Map<string, Promise<void>>()

  constructor(scope: Scope) {
    checkScopeHandle(ATTEMPT, scope)
    this.#scope = scope
  }

  /** Stores entries in their order. Those whose `uuid` is stored already are left out, and those that were forgotten. */
  async append(key: SessionKey, entries: SessionStoreEntry[]): Promise<void> {
    checkKey(key)
    if (entries.length === 0) return
    const id = transcriptId(key)
    const before = this.#appending.get(id)
    // Made before the first wait: what the caller changes afterwards changes nothing.
    const kept = entryMessages(HOST, entries)
    const made = (async () => {
      await before?.catch(() => undefined)
      const session = this.#scope.session(id)
      await storeEntries(session, kept)
      if (key.subpath === undefined) await summarise(session, key)
    })()
    this.#appending.set(id, made)
    try {
      await made
    } finally {
      if (this.#appending.get(id) === made) this.#appending.delete(id)
    }
  }

  /** All entries of a transcript, oldest first; `null` if there is none. */
  async load(key: SessionKey): Promise<SessionStoreEntry[] | null> {
    checkKey(key)
    const history = await this.#scope.session(transcriptId(key)).history()
    return history.length === 0 ? null : entriesOf(history)
  }

  async listSessions(projectKey: string): Promise<{ sessionId: string; mtime: number }[]> {
    const found = await this.#transcripts(`${encodeURIComponent(projectKey)}/`)
    return found.flatMap(({ key, stored }) =>
      key.subpath === undefined ? [{ sessionId: key.sessionId, mtime: Date.parse(stored.updatedAt) }] : [],
    )
  }

  /** What a list of conversations shows, kept up to date by `append`. */
  async listSessionSummaries(projectKey: string): Promise<SessionSummaryEntry[]> {
    const found = await this.#transcripts(`${encodeURIComponent(projectKey)}/`)
    const summaries: SessionSummaryEntry[] = []
    for (const { key, stored } of found) {
      if (key.subpath !== undefined) continue
      const { data } = await readSummary(this.#scope.session(stored.id), key)
      summaries.push({ sessionId: key.sessionId, mtime: Date.parse(stored.updatedAt), data })
    }
    return summaries
  }

  /** Destroys a transcript, and of a main transcript also those below it, as `forget` does. */
  async delete(key: SessionKey): Promise<void> {
    checkKey(key)
    const below = key.subpath === undefined ? await this.#transcripts(`${transcriptId(key)}/`) : []
    for (const id of [...below.map(({ stored }) => stored.id), transcriptId(key)]) await forgetSession(this.#scope, id)
  }

  /** The subpaths of the transcripts below a session, oldest first. */
  async listSubkeys(key: { projectKey: string; sessionId: string }): Promise<string[]> {
    const found = await this.#transcripts(`${transcriptId(key)}/`)
    return found.flatMap(({ key: { subpath } }) => (subpath === undefined ? [] : [subpath]))
  }

  /** The transcripts whose ids begin with a text, oldest first. */
  async #transcripts(
    prefix: string,
  ): Promise<readonly { readonly key: SessionKey; readonly stored: SessionSummary }[]> {
    const found: { readonly key: SessionKey; readonly stored: SessionSummary }[] = []
    for (let after: string | undefined; ;) {
      const given = { text: prefix, limit: SESSIONS_PER_PAGE, ...defined({ after }) }
      const { sessions, next } = await this.#scope.sessions(given)
      for (const stored of sessions) {
        const key = stored.id.startsWith(prefix) ? readTranscriptId(stored.id) : undefined
        if (key !== undefined) found.push({ key, stored })
      }
      if (next === null) return found.toReversed()
      after = next
    }
  }
}

function checkKey({ subpath }: SessionKey): void {
  if (subpath === '') refuse(ATTEMPT, 'subpath', subpath, 'a name that is not empty, or none for the main transcript')
}

function entriesOf(messages: readonly Draft[]): SessionStoreEntry[] {
  return messages.flatMap((message) => (entryOf(HOST, message) as SessionStoreEntry | undefined) ?? [])
}

/** What a list of conversations shows of one, made from its entries up to a position. */
interface StoredSummary {
  readonly through: number
  readonly data: JSONObject
}

async function readSummary(session: Session, key: SessionKey): Promise<StoredSummary> {
  const { through, data } = ((await session.state.get(SUMMARY)) ?? { through: 0, data: {} }) as unknown as StoredSummary
  const newer = await session.history({ after: through })
  const before = through === 0 ? undefined : { sessionId: key.sessionId, mtime: 0, data: { ...data } }
  const folded = foldSessionSummary(before, key, entriesOf(newer))
  return { through: newer.at(-1)?.seq ?? through, data: JSON.parse(JSON.stringify(folded.data)) as JSONObject }
}

async function summarise(session: Session, key: SessionKey): Promise<void> {
  await session.state.set(SUMMARY, (await readSummary(session, key)) as unknown as JSONValue)
}
