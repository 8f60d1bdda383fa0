import { defined } from '../../domain/defined.ts'
import type { ImportLocation } from '../../api/imports.ts'
import { plainReading } from '../../dialects/canonical/plain-reading.ts'
import { CallNames } from '../../dialects/canonical/call-names.ts'
import { arrayOf, field, isArray, isObject, stringOf, omitKeys } from '../../dialects/canonical/json.ts'
import { readAnthropicMessage } from '../../dialects/anthropic/read.ts'
import type { JSONObject, JSONValue } from '../../domain/json.ts'
import type { Draft } from '../../domain/message.ts'
import type { Part } from '../../domain/part.ts'
import { type ImportedItem, PAUSE, type Turn, skip } from './imported-item.ts'
import { type Format, nothing } from './format.ts'
import { filled, timeOf } from './values.ts'

/** The data export of Claude: conversations, projects with their documents, and what Claude noted of its user. */
export const claude: Format = {
  name: 'claude',
  knows: (record) => isObject(record) && (isArray(record['chat_messages']) || isMemories(record) || isProject(record)),
  open: () => ({ take: read, end: () => nothing }),
}

function isMemories(record: JSONObject): boolean {
  return typeof record['conversations_memory'] === 'string' || isObject(record['project_memories'])
}

function isProject(record: JSONObject): boolean {
  return typeof record['uuid'] === 'string' && typeof record['name'] === 'string' && isArray(record['docs'])
}

function* read(record: unknown, place: ImportLocation): Generator<ImportedItem, undefined> {
  if (isObject(record) && isMemories(record)) yield* memories(record, place)
  else if (isObject(record) && isProject(record)) yield* project(record, place)
  else yield* conversation(record, place)
}

/** Prose by paragraphs: each is a note. */
function* memories(record: JSONObject, place: ImportLocation): Generator<ImportedItem, undefined> {
  const projects = isObject(record['project_memories']) ? Object.values(record['project_memories']) : []
  for (const text of [record['conversations_memory'], ...projects])
    for (const paragraph of (stringOf(text) ?? '').split(/\n\s*\n/)) {
      // A heading alone says nothing.
      if (paragraph.trim() === '' || /^(?:#+\s.*|\*\*[^*]+\*\*)$/.test(paragraph.trim())) continue
      yield { type: 'fact', fact: { text: paragraph.trim() }, place }
    }
}

/** What its owner gave to a project: what it is about, how to answer in it, and documents. All of it is the owner's word. */
function* project(record: JSONObject, place: ImportLocation): Generator<ImportedItem, undefined> {
  const id = String(record['uuid'])
  const turns: Turn[] = []
  const add = (key: string, text: string | undefined, created: unknown): boolean => {
    if (text === undefined || text.trim() === '') return false
    const at = timeOf(created)
    const draft: Draft = { role: 'user', parts: [{ type: 'text', text }], ...defined({ at }) }
    turns.push({ key, parent: turns.at(-1)?.key ?? null, drafts: [draft], place: { ...place, id: key } })
    return true
  }
  add(`${id}:description`, filled(record['description']), record['created_at'])
  add(`${id}:instructions`, filled(record['prompt_template']), record['created_at'])
  for (const [index, document] of arrayOf(record['docs']).entries()) {
    const key = filled(field(document, 'uuid')) ?? `${id}:${index}`
    const content = filled(field(document, 'content'))
    const name = filled(field(document, 'filename')) ?? 'document'
    const isIn = add(key, content === undefined ? undefined : `${name}:\n${content}`, field(document, 'created_at'))
    if (!isIn) yield skip({ ...place, id: key }, 'attachment-missing', name)
  }
  if (turns.length === 0) yield skip({ ...place, id }, 'no-content', 'a project without instructions or documents')
  else
    yield {
      type: 'conversation',
      conversation: { id, place: { ...place, id }, turns, title: String(record['name']) },
    }
}

/** Where the tree of every conversation begins, in exports that have trees. */
const ROOT = '00000000-0000-4000-8000-000000000000'

function* conversation(record: unknown, place: ImportLocation): Generator<ImportedItem, undefined> {
  const id = filled(field(record, 'uuid'))
  const messages = field(record, 'chat_messages')
  if (id === undefined || !isArray(messages)) {
    yield skip(place, 'wrong-type', 'not a conversation: expected an object with a uuid and chat_messages')
    return
  }
  const turns = new Map<string, Turn>()
  let before: string | null = null
  for (const [index, message] of messages.entries()) {
    yield PAUSE
    const key = filled(field(message, 'uuid')) ?? `${id}:${index}`
    const there = { ...place, id: key }
    if (turns.has(key)) {
      yield skip(there, 'duplicate-id', 'a second message with this uuid')
      continue
    }
    const given = filled(field(message, 'parent_message_uuid'))
    const parent: string | null = given === ROOT ? null : given !== undefined && turns.has(given) ? given : before
    const { drafts, missing, wrong } = readTurn(key, message)
    for (const name of missing) yield skip(there, 'attachment-missing', name)
    if (wrong !== undefined) yield skip(there, 'wrong-type', wrong)
    else if (drafts.length === 0) yield skip(there, 'no-content', 'an empty message')
    turns.set(key, { key, parent, drafts, place: there })
    before = key
  }
  const title = filled(field(record, 'name'))
  yield {
    type: 'conversation',
    conversation: {
      id,
      place: { ...place, id },
      turns: [...turns.values()],
      ...defined({ title }),
    },
  }
}

interface Read {
  readonly drafts: readonly Draft[]
  readonly missing: readonly string[]
  readonly wrong?: string
}

function readTurn(key: string, message: unknown): Read {
  const sender = field(message, 'sender')
  if (sender !== 'human' && sender !== 'assistant')
    return { drafts: [], missing: [], wrong: `the sender ${String(sender)}, expected human or assistant` }
  const blocks = withIds(key, arrayOf(field(message, 'content')))
  const text = stringOf(field(message, 'text')) ?? ''
  // `text` says again what the blocks say, where there are any.
  const content: readonly JSONValue[] = blocks.length > 0 || text === '' ? blocks : [{ type: 'text', text }]
  const attached = arrayOf(field(message, 'attachments'))
  const extracted = attached.flatMap((attachment) => {
    const inside = filled(field(attachment, 'extracted_content'))
    return inside === undefined
      ? []
      : [{ type: 'text', text: `${filled(field(attachment, 'file_name')) ?? 'attachment'}:\n${inside}` }]
  })
  const missing = [
    ...attached.filter((attachment) => filled(field(attachment, 'extracted_content')) === undefined),
    ...arrayOf(field(message, 'files')),
  ].map((file) => filled(field(file, 'file_name')) ?? 'a file')
  const role = sender === 'human' ? 'user' : 'assistant'
  const at = timeOf(field(message, 'created_at'))
  const drafts = readAnthropicMessage({ role, content: [...content, ...extracted] }, [], plainReading, new CallNames())
    .flatMap(inSteps)
    .map((draft) => ({ ...draft, parts: draft.parts.filter(saysSomething), ...defined({ at }) }))
  return { drafts: drafts.filter(({ parts }) => parts.length > 0), missing }
}

function saysSomething(part: Part): boolean {
  return (part.type !== 'text' && part.type !== 'reasoning') || part.text.trim() !== ''
}

/** One message of Claude's holds calls and what came back: each result ends a step, and stands in a message of its own. */
function inSteps(draft: Draft): readonly Draft[] {
  if (draft.role !== 'assistant') return [draft]
  const steps: { role: Draft['role']; parts: Part[] }[] = []
  for (const part of draft.parts) {
    const role = part.type === 'tool-result' && part.providerExecuted !== true ? 'tool' : 'assistant'
    const last = steps.at(-1)
    if (last?.role === role) last.parts.push(part)
    else steps.push({ role, parts: [part] })
  }
  return steps
}

/** Fields of the export that are nothing the model said. */
const NOT_SAID = ['start_timestamp', 'stop_timestamp', 'flags', 'cut_off', 'summaries', 'alternative_display_type']

/** Older exports leave out the ids of calls: a result then answers the call before it. */
function withIds(key: string, blocks: readonly JSONValue[]): readonly JSONObject[] {
  let open: string | undefined
  return blocks.filter(isObject).map((block, index) => {
    const rest = omitKeys(block, NOT_SAID)
    if (block['type'] === 'tool_use') {
      open = filled(block['id']) ?? `${key}:${index}`
      return { ...rest, id: open }
    }
    if (block['type'] !== 'tool_result') return rest
    const answered = filled(block['tool_use_id']) ?? open
    return answered === undefined ? rest : { ...rest, tool_use_id: answered }
  })
}
