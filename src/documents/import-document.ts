import { defined } from '../domain/defined.ts'
import type { ToolStats } from '../api/state.ts'
import { createHash } from 'node:crypto'
import { isPlainObject } from '../domain/check-json.ts'
import { checkOptions } from '../domain/check-options.ts'
import { MemoryError } from '../domain/error.ts'
import type { JSONObject, JSONValue } from '../domain/json.ts'
import { blobHashes } from '../domain/media-parts.ts'
import { type Draft, type Message, type Role, roles } from '../domain/message.ts'
import { checkId } from '../domain/names.ts'
import type { NewMessage } from '../domain/new-message.ts'
import type { Part } from '../domain/part.ts'
import { quote, refuse } from '../domain/refuse.ts'
import type { Scope } from '../api/scope.ts'
import type { Session } from '../api/session.ts'
import type { ContextDocument, HistoryEntry } from '../api/document.ts'
import { newDocument } from '../state/document/document.ts'
import { parseDocument } from '../state/document/parse.ts'
import { NO_TOOL_STATS, lessToolStats } from '../state/tool-stats.ts'

const APPENDED_AT_ONCE_MAX = 500

type IdentifiedMessage = NewMessage & { readonly id: string }

export interface ImportedDocument {
  readonly session: string
  /** Messages of the document, and how many of them were new. */
  readonly messages: number
  readonly added: number
  /** Ids of messages that were forgotten in this session: an import does not bring them back. */
  readonly forgotten: readonly string[]
  /** Keys of the state that were set. */
  readonly set: readonly string[]
}

/**
 * Imports a document into a memory: its history as messages, the rest as the session's state. `session.document()` returns it
 * again. A message without an id gets one made from its content, so importing twice adds nothing. A message that had been imported
 * into the memory that wrote the document counts as imported here too: a document does not make anything trusted.
 */
export async function importDocument(
  scope: Pick<Scope, 'session' | 'importBatch'>,
  value: unknown,
  options: { readonly session?: string } = {},
): Promise<ImportedDocument> {
  const attempt = 'import a document'
  checkOptions(attempt, options, ['session'])
  const document = parseDocument(value)
  const { session = document.session_id } = options
  checkId(attempt, 'session', session)
  const chat = scope.session(session)
  const messages = await withoutLostMedia(chat, newMessages(document))
  const { fresh, entries } = await notStored(chat, messages, document.recent_history)
  const before = await chat.history({ limit: 1, before: Number.MAX_SAFE_INTEGER })
  const forgotten: string[] = []
  for (const { imported, run } of runsOf(fresh, entries)) {
    if (!imported) forgotten.push(...(await appendUnforgotten(chat, run)))
    else {
      const brought = await scope.importBatch({ session, messages: run })
      if (brought.refused === true) throw taken(session)
      forgotten.push(...(brought.forgotten ?? []))
    }
  }
  const after = await chat.history({ limit: 1, before: Number.MAX_SAFE_INTEGER })
  const set = await setState(chat, document)
  await setNotes(chat, document)
  return {
    session,
    messages: messages.length,
    added: (after[0]?.seq ?? 0) - (before[0]?.seq ?? 0),
    forgotten,
    set,
  }
}

/** Appends what was not forgotten here, and returns the ids of the rest. The log names one at a time: they are few. */
async function appendUnforgotten(chat: Session, run: readonly IdentifiedMessage[]): Promise<readonly string[]> {
  const forgotten = new Set<unknown>()
  for (;;) {
    const left = run.filter(({ id }) => !forgotten.has(id))
    try {
      if (left.length > 0) await chat.append(left)
      return run.filter(({ id }) => forgotten.has(id)).map(({ id }) => id)
    } catch (error) {
      if (!MemoryError.is(error, 'log/forgotten') || forgotten.has(error.details['id'])) throw error
      forgotten.add(error.details['id'])
    }
  }
}

/**
 * The messages that the session does not have as the document has them. A document has seconds and the newest revision of a
 * message, so they are compared by that; if a message differs, the log decides.
 */
async function notStored(
  chat: Session,
  messages: readonly IdentifiedMessage[],
  given: readonly HistoryEntry[],
): Promise<{ readonly fresh: readonly IdentifiedMessage[]; readonly entries: readonly HistoryEntry[] }> {
  const fresh: IdentifiedMessage[] = []
  const entries: HistoryEntry[] = []
  for (const [index, message] of messages.entries()) {
    const entry = given[index] as HistoryEntry
    const stored = await chat.get(message.id)
    const isThen = stored !== undefined && Math.floor(Date.parse(stored.at) / 1000) === entry.timestamp
    if (stored !== undefined && isThen && saysSame(stored, message, entry)) continue
    fresh.push(isThen ? { ...message, at: stored.at } : message)
    entries.push(entry)
  }
  return { fresh, entries }
}

function saysSame(
  stored: Message,
  { parts }: IdentifiedMessage,
  { role, content, name, tags, metadata }: HistoryEntry,
): boolean {
  const said = (...values: readonly unknown[]): string => JSON.stringify(values)
  return (
    said(stored.role, stored.parts, stored.name, stored.tags, stored.metadata) ===
    said(role, parts ?? [{ type: 'text', text: content }], name, tags, metadata)
  )
}

/** Sets the keys that differ; the others get no new version. */
async function setState(chat: Session, document: ContextDocument): Promise<readonly string[]> {
  const set: string[] = []
  const values = await chat.state.get()
  for (const [key, wanted] of Object.entries(stateOf(document, await chat.document(), values))) {
    if (JSON.stringify(values[key]) === JSON.stringify(wanted)) continue
    await chat.state.set(key, wanted)
    set.push(key)
  }
  return set
}

async function setNotes(chat: Session, { notes = [] }: ContextDocument): Promise<void> {
  const known = new Map((await chat.state.notes.list()).map((note) => [note.id, note]))
  for (const note of notes) {
    const { text, tags, done } = note
    const here = known.get(note.id)
    if (here === undefined) await chat.state.notes.add(note)
    else if (JSON.stringify([here.text, here.tags, here.done]) !== JSON.stringify([text, tags, done]))
      await chat.state.notes.update(note.id, { text, tags, done })
  }
}

/** Runs of messages that are stored in the same way, in order, each small enough for one append. */
function* runsOf(
  messages: readonly IdentifiedMessage[],
  entries: readonly HistoryEntry[],
): Generator<{ readonly imported: boolean; readonly run: readonly IdentifiedMessage[] }, undefined> {
  for (let from = 0; from < messages.length;) {
    const imported = entries[from]?.imported === true
    let to = from + 1
    while (to < messages.length && to - from < APPENDED_AT_ONCE_MAX && (entries[to]?.imported === true) === imported)
      to++
    yield { imported, run: messages.slice(from, to) }
    from = to
  }
}

function taken(session: string): MemoryError {
  return new MemoryError(
    'log/conflict',
    `Cannot import a document: session ${quote(session)} began in this memory. Use another session id for the imported document`,
    { session },
  )
}

/** The part of a document that is state: what it says beyond `now`, the document that the session has without it. */
function stateOf(document: ContextDocument, now: ContextDocument, values: JSONObject): JSONObject {
  const empty = newDocument(document.session_id)
  const sections = ['system_state', 'facts', 'active_tasks', 'last_known_environment', 'token_usage', 'plan'] as const
  const known = new Set<string>([
    ...Object.keys(empty),
    ...sections,
    'long_term_summary',
    'notes',
    'version',
    'updated_at',
    'exported',
  ])
  const counted = lessToolStats(now.tool_stats, (values['tool_stats_before'] ?? NO_TOOL_STATS) as unknown as ToolStats)
  const others = Object.fromEntries(Object.entries(document).filter(([key]) => !known.has(key)))
  const state: Record<string, unknown> = {
    // Learned facts are in the document but not in the state.
    ...Object.fromEntries(sections.map((key) => [key, isSame(document[key], now[key]) ? values[key] : document[key]])),
    long_term_summary: summaryOf(document, now, String(values['long_term_summary'] ?? '')),
    tool_stats_before: lessToolStats(document.tool_stats, counted),
    document_fields: others,
  }
  const nothing: Record<string, unknown> = { ...empty, tool_stats_before: NO_TOOL_STATS, document_fields: {} }
  return Object.fromEntries(
    Object.entries(state).filter(
      ([key, value]) => value !== undefined && (values[key] !== undefined || !isSame(value, nothing[key])),
    ),
  ) as Readonly<Record<string, JSONValue>>
}

/** The summary without its end if the folds of this session say the same. */
function summaryOf({ long_term_summary: wanted }: ContextDocument, now: ContextDocument, kept: string): string {
  const folded = kept === '' ? now.long_term_summary : now.long_term_summary.slice(kept.length)
  if (folded === '' || !wanted.endsWith(folded)) return wanted
  return wanted.slice(0, wanted.length - folded.length).replace(kept === '' ? /\n\n$/ : /$^/, '')
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

function newMessages({ session_id: session, recent_history: entries }: ContextDocument): readonly IdentifiedMessage[] {
  const said = new Map<string, number>()
  return entries.map((entry, index) => {
    const { role, content, timestamp, name, tags, metadata, parts } = entry
    if (!roles.includes(role as Role))
      refuse('import a document', `recent_history[${index}].role`, role, `a role: ${roles.join(', ')}`)
    return {
      id: entry.id ?? idOf(session, entry, said),
      role: role as Role,
      ...(parts === undefined ? { content } : { parts: structuredClone(parts) as Part[] }),
      ...(timestamp > 0 ? { at: timestamp * 1000 } : {}),
      ...defined({ name, tags, metadata }),
    }
  })
}

/** Equal messages of one second are numbered, so that each has its own id. */
function idOf(session: string, { timestamp, role, content }: HistoryEntry, said: Map<string, number>): string {
  const key = JSON.stringify([session, timestamp, role, content])
  const times = (said.get(key) ?? 0) + 1
  said.set(key, times)
  return `document-${createHash('sha256').update(`${times} ${key}`).digest('hex').slice(0, 32)}`
}

/** A document does not contain images and files. If the memory does not have them either, a line of text replaces them. */
async function withoutLostMedia(
  chat: Session,
  messages: readonly IdentifiedMessage[],
): Promise<readonly IdentifiedMessage[]> {
  const drafts = messages.flatMap(({ role, parts }): readonly Draft[] =>
    parts === undefined ? [] : [{ role, parts: parts as readonly Part[] }],
  )
  const wanted = new Set(drafts.flatMap(({ parts }) => blobHashes(parts)))
  if (wanted.size === 0) return messages
  const here = new Set((await chat.blobs(drafts)).keys())
  const lost = new Set([...wanted].filter((hash) => !here.has(hash)))
  if (lost.size === 0) return messages
  return messages.map((message) =>
    message.parts === undefined ? message : { ...message, parts: replaceLost(message.parts, lost) as Part[] },
  )
}

function replaceLost(value: unknown, lost: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((item) => replaceLost(item, lost))
  if (!isPlainObject(value)) return value
  const { type, source } = value
  if (typeof type === 'string' && isPlainObject(source) && lost.has(String(source['hash'])))
    return { type: 'text', text: `[${type} that is not in the document]` }
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, replaceLost(item, lost)]))
}
