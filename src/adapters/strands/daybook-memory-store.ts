import { hash } from 'node:crypto'
import type { AddMessagesContext, ExtractionConfig, JSONValue, MemoryEntry, MessageData } from '@strands-agents/sdk'
import type { Scope } from '../../api/scope.ts'
import type { Session } from '../../api/session.ts'
import { MemoryError } from '../../domain/error.ts'
import type { JSONObject } from '../../domain/json.ts'
import { checkId } from '../../domain/names.ts'
import { checkScopeHandle } from '../../domain/check-scope-handle.ts'
import { refuse } from '../../domain/refuse.ts'
import { anObject, mayHave } from '../../shape/object.ts'
import type { Shape } from '../../shape/shape.ts'
import { aCount, aFlag, aText, anId, checkedBy, unchecked } from '../../shape/values.ts'
import { keptEntry } from '../entries/kept-entry.ts'
import { storeEntries } from '../entries/store-entries.ts'
import { messagesFromStrands } from './message-parts.ts'

const ATTEMPT = 'use a memory store'
const FOUND_DEFAULT = 10
const QUESTION_CHARACTERS_MAX = 8_000

/** What a memory store is called and how it is used. */
export interface DaybookMemoryStoreOptions {
  /** Its name, by which tools choose it. @default 'daybook' */
  readonly name?: string
  /** What it has, for the descriptions of tools. @default what earlier conversations said */
  readonly description?: string
  /** The session that conversations and notes are stored in. @default 'strands' */
  readonly session?: string
  /** At most this many results. @default 10 */
  readonly maxSearchResults?: number
  /** Whether it may be written. @default true */
  readonly writable?: boolean
  /** Whether conversations are stored without being asked to, and when. Nothing is asked of a model. @default true */
  readonly extraction?: boolean | ExtractionConfig
}

const aName: Shape<string> = checkedBy({ kind: 'text', min: 1 }, 'a string', (attempt, path, given) =>
  checkId(attempt, path, typeof given === 'string' ? given.trim() : given),
)

const OPTIONS: Shape<DaybookMemoryStoreOptions> = anObject<DaybookMemoryStoreOptions>(undefined, {
  name: mayHave(aName, 'Its name, by which tools choose it', 'daybook'),
  description: mayHave(aText, 'What it has, for the descriptions of tools', 'what earlier conversations said'),
  session: mayHave(anId, 'The session that conversations and notes are stored in', 'strands'),
  maxSearchResults: mayHave(aCount, 'At most this many results', '10'),
  writable: mayHave(aFlag, 'Whether it may be written', 'true'),
  extraction: mayHave(unchecked('true, false or a configuration'), 'Whether and when conversations are stored', 'true'),
})

/**
 * A memory store of Strands: `new Agent({ memoryManager: { stores: [new DaybookMemoryStore(scope)] } })`.
 *
 * Conversations and notes are messages of the log. A search finds them, and what was learned from them, in all sessions of the scope.
 *
 * @example
 * import { openMemory } from 'daybook'
 * import { DaybookMemoryStore } from 'daybook/strands'
 * await using memory = await openMemory(':memory:')
 * const store = new DaybookMemoryStore(memory.scope('acme/ada'))
 * await store.add('Ada prefers email.')
 * console.log(await store.search('How does Ada want to be reached?'))
 */
export class DaybookMemoryStore {
  readonly name: string
  readonly description: string
  readonly maxSearchResults: number
  readonly writable: boolean
  readonly extraction: boolean | ExtractionConfig
  readonly #scope: Scope
  readonly #session: Session
  /** Names the messages that have no id of their own. */
  readonly #run: string = crypto.randomUUID()

  constructor(scope: Scope, options: DaybookMemoryStoreOptions = {}) {
    checkScopeHandle(ATTEMPT, scope)
    OPTIONS.check(ATTEMPT, '', options)
    const { name = 'daybook', session = 'strands', maxSearchResults = FOUND_DEFAULT, writable = true } = options
    this.name = name
    this.description =
      options.description ?? 'What was said in earlier conversations, and facts that were learned from it.'
    this.maxSearchResults = maxSearchResults
    this.writable = writable
    this.extraction = options.extraction ?? writable
    this.#scope = scope
    this.#session = scope.session(session)
  }

  /** Finds what bears on a question, best first. */
  async search(query: string, { maxSearchResults }: { maxSearchResults?: number } = {}): Promise<MemoryEntry[]> {
    const limit = maxSearchResults ?? this.maxSearchResults
    aCount.check(ATTEMPT, 'maxSearchResults', limit)
    const question = query.trim().slice(0, QUESTION_CHARACTERS_MAX)
    if (question === '') return []
    const { items } = await this.#scope.recall(question, { limit, relevant: true, fresh: true })
    // The question itself may be stored, too.
    const others = items.filter(({ text }) => text !== question)
    return Promise.all(
      others.map(async ({ kind, text, score, source, at }) => {
        const { session, id } = source
        const message = kind !== 'message' || session === null ? undefined : await this.#scope.session(session).get(id)
        return { content: text, metadata: { ...(message?.metadata as Metadata), kind, score, source: id, at } }
      }),
    )
  }

  /** Stores a note. The same words are stored once. Returns its id. */
  async add(content: string, metadata: Record<string, JSONValue> = {}): Promise<{ id: string }> {
    this.#checkWritable()
    const words = content.trim()
    if (words === '') refuse(ATTEMPT, 'content', content, 'words')
    const id = `note-${hash('sha256', words).slice(0, 32)}`
    try {
      await this.#session.append({ role: 'user', content, metadata: metadata as JSONObject, id })
    } catch (error) {
      // The same words with other metadata: what is stored stays.
      if (!MemoryError.is(error, 'log/id-conflict')) throw error
    }
    return { id }
  }

  /** Stores messages of a conversation, each once: a batch that is sent again stores nothing twice, and nothing that was forgotten. */
  async addMessages(messages: MessageData[], { sequenceNumbers = [] }: AddMessagesContext = {}): Promise<void> {
    this.#checkWritable()
    const entries = messages.flatMap((message, index) => {
      const id = message.trackingId ?? this.#idOf(message, sequenceNumbers[index])
      const [first, ...others] = messagesFromStrands(message, id)
      if (first === undefined) return []
      const { bare } = keptEntry('strands', { id, entry: plain(message), drafts: [] })
      return [{ messages: [{ ...first, id }, ...others] as const, bare }]
    })
    await storeEntries(this.#session, entries)
  }

  #idOf(message: MessageData, number: number | undefined): string {
    if (number === undefined) return crypto.randomUUID()
    return `${this.#run}:${number}:${hash('sha256', JSON.stringify(message)).slice(0, 16)}`
  }

  #checkWritable(): void {
    if (!this.writable) refuse(ATTEMPT, 'writable', false, 'a store that may be written')
  }
}

type Metadata = Record<string, JSONValue> | undefined

function plain(message: MessageData): JSONObject {
  return JSON.parse(JSON.stringify(message)) as JSONObject
}
