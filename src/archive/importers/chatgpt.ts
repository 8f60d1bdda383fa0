import { defined } from '../../domain/defined.ts'
import type { ImportLocation } from '../../api/imports.ts'
import { arrayOf, field, isArray, isObject, objectOf, stringOf, toJSON } from '../../dialects/canonical/json.ts'
import type { JSONObject, JSONValue } from '../../domain/json.ts'
import type { Draft } from '../../domain/message.ts'
import type { Part } from '../../domain/part.ts'
import { type ImportedItem, PAUSE, type Turn, skip } from './imported-item.ts'
import { type Format, nothing } from './format.ts'
import { filled, timeOf } from './values.ts'

/** The data export of ChatGPT: conversations with a tree of messages, in one file or in shards. */
export const chatgpt: Format = {
  name: 'chatgpt',
  knows: (record) => isObject(record) && isObject(record['mapping']),
  open: () => ({ take: conversation, end: () => nothing }),
}

function* conversation(record: unknown, place: ImportLocation): Generator<ImportedItem, undefined> {
  const mapping = field(record, 'mapping')
  const id = filled(field(record, 'conversation_id')) ?? filled(field(record, 'id'))
  if (!isObject(record) || !isObject(mapping) || id === undefined) {
    yield skip(place, 'wrong-type', 'not a conversation: expected an object with an id and a mapping')
    return
  }
  const here = { ...place, id }
  if (record['is_do_not_remember'] === true) {
    yield skip(here, 'do-not-remember', 'a temporary chat, which ChatGPT marks as not to be remembered')
    return
  }
  const { order, lost } = inOrder(mapping)
  for (const key of lost) yield skip({ ...place, id: key }, 'cycle', 'a message that is its own ancestor')
  const turns: Turn[] = []
  const calls = new Calls()
  for (const { key, parent, node } of order) {
    yield PAUSE
    const there = { ...place, id: key }
    const found = readNode(key, parent, field(node, 'message'), calls)
    for (const missing of found.missing) yield skip(there, 'attachment-missing', missing)
    if (found.reason !== undefined) yield skip(there, found.reason, found.message)
    turns.push({ key, parent, drafts: found.draft === undefined ? [] : [found.draft], place: there })
  }
  const title = filled(record['title'])
  yield { type: 'conversation', conversation: { id, place: here, turns, ...defined({ title }) } }
}

interface Step {
  readonly key: string
  readonly parent: string | null
  readonly node: JSONValue | undefined
}

/**
 * Every node after its parent, brothers in the order of the parent's list. What leads back to itself is reached from no root. A
 * parent that is not there makes a root.
 */
function inOrder(mapping: JSONObject): { readonly order: readonly Step[]; readonly lost: readonly string[] } {
  const children = new Map<string | null, string[]>()
  for (const [key, node] of Object.entries(mapping)) {
    const parent = stringOf(field(node, 'parent'))
    const known = parent !== undefined && Object.hasOwn(mapping, parent) ? parent : null
    const brothers = children.get(known)
    if (brothers === undefined) children.set(known, [key])
    else brothers.push(key)
  }
  const order: Step[] = []
  const open: Step[] = rootsOf(children)
    .toReversed()
    .map((key) => ({ key, parent: null, node: mapping[key] }))
  for (let step = open.pop(); step !== undefined; step = open.pop()) {
    order.push(step)
    const { key, node } = step
    const ranks = new Map(arrayOf(field(node, 'children')).map((child, rank) => [child, rank]))
    const next = (children.get(key) ?? []).toSorted((a, b) => rankOf(ranks, a) - rankOf(ranks, b))
    for (const child of next.toReversed()) open.push({ key: child, parent: key, node: mapping[child] })
  }
  const reached = new Set(order.map(({ key }) => key))
  return { order, lost: Object.keys(mapping).filter((key) => !reached.has(key)) }
}

function rootsOf(children: ReadonlyMap<string | null, string[]>): readonly string[] {
  return children.get(null) ?? []
}

function rankOf(ranks: ReadonlyMap<JSONValue, number>, key: string): number {
  return ranks.get(key) ?? Number.MAX_SAFE_INTEGER
}

/** Which call a tool's message answers: the nearest before it, to a tool of its name, that has no answer yet. */
class Calls {
  readonly #open = new Map<
    string,
    { readonly call: string | null; readonly tool: string | null; readonly up: string | null }
  >()

  add(key: string, parent: string | null, tool: string | null): void {
    this.#open.set(key, { call: tool === null ? null : key, tool, up: parent })
  }

  answeredBy(parent: string | null, name: string | undefined): string | undefined {
    const found = parent === null ? undefined : this.#open.get(parent)
    if (found === undefined || found.call === null) return undefined
    return name === undefined || found.tool === name || found.tool?.startsWith(`${name}.`) === true
      ? found.call
      : undefined
  }
}

interface Read {
  readonly draft?: Draft
  readonly reason?: 'hidden' | 'no-content' | 'wrong-type' | undefined
  readonly message: string
  readonly missing: readonly string[]
}

function readNode(key: string, parent: string | null, message: unknown, calls: Calls): Read {
  const role = stringOf(field(field(message, 'author'), 'role'))
  const recipient = filled(field(message, 'recipient')) ?? 'all'
  const isCall = role === 'assistant' && recipient !== 'all'
  calls.add(key, parent, isCall ? recipient : null)
  const none = { message: '', missing: [] }
  // The root of a tree has no message.
  if (message === null || message === undefined) return none
  const metadata = objectOf(field(message, 'metadata')) ?? {}
  if (metadata['is_visually_hidden_from_conversation'] === true || field(message, 'weight') === 0)
    return { ...none, reason: 'hidden', message: 'a message that was never shown' }
  const content = readContent(field(message, 'content'))
  const parts = [...content.parts, ...uploads(metadata, content.parts)]
  const { missing } = content
  if (role !== 'user' && role !== 'assistant' && role !== 'system' && role !== 'tool')
    return { missing, reason: 'wrong-type', message: `the role ${toJSON(role)}` }
  if (parts.length === 0)
    return role === 'system' ? none : { missing, reason: 'no-content', message: 'an empty message' }
  const name = filled(field(field(message, 'author'), 'name'))
  const at = timeOf(field(message, 'create_time'))
  const model = filled(metadata['model_slug'])
  return {
    draft: {
      role,
      parts: partsFor(role, parts, { key, recipient, isCall, name, callId: calls.answeredBy(parent, name) }),
      ...defined({ at }),
      ...(name === undefined || role === 'tool' ? {} : { name }),
      ...(model === undefined ? {} : { metadata: { model } }),
    },
    message: '',
    missing,
  }
}

/** Files that the user gave along. Pictures among them stand in the content, too. */
function uploads(metadata: JSONObject, shown: readonly Part[]): readonly Part[] {
  const pointers = shown.map((part) => (part.type === 'data' ? String(field(part.data, 'asset_pointer')) : ''))
  return arrayOf(metadata['attachments']).flatMap((data): readonly Part[] => {
    const id = filled(field(data, 'id'))
    if (!isObject(data) || id === undefined || pointers.some((pointer) => pointer.endsWith(`/${id}`))) return []
    return [{ type: 'data', kind: 'chatgpt:attachment', data }]
  })
}

interface Speaker {
  readonly key: string
  readonly recipient: string
  readonly isCall: boolean
  readonly name: string | undefined
  readonly callId: string | undefined
}

/** What is said to a tool is a call of it, and what a tool says is its result. */
function partsFor(role: Draft['role'], parts: readonly Part[], speaker: Speaker): readonly Part[] {
  const said = parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
  if (speaker.isCall) {
    const thoughts = parts.filter((part) => part.type === 'reasoning')
    return [...thoughts, { type: 'tool-call', id: speaker.key, name: speaker.recipient, arguments: argumentsOf(said) }]
  }
  if (role === 'tool') {
    const { name, callId } = speaker
    const data = parts.filter((part) => part.type === 'data')
    return [
      {
        type: 'tool-result',
        ...defined({ callId, name }),
        output: { type: 'text', text: said.trim() },
      },
      ...data,
    ]
  }
  return role === 'assistant' ? parts : parts.filter((part) => part.type !== 'reasoning')
}

function argumentsOf(text: string): string {
  try {
    return isObject(JSON.parse(text)) ? text : toJSON({ input: text })
  } catch {
    return toJSON({ input: text })
  }
}

function readContent(content: unknown): { readonly parts: readonly Part[]; readonly missing: readonly string[] } {
  const type = stringOf(field(content, 'content_type'))
  const missing: string[] = []
  const said = (text: unknown): readonly Part[] =>
    typeof text === 'string' && text.trim() !== '' ? [{ type: 'text', text }] : []
  switch (type) {
    case 'text':
    case 'multimodal_text': {
      const parts = arrayOf(field(content, 'parts')).flatMap((part): readonly Part[] => {
        if (typeof part === 'string') return said(part)
        if (!isObject(part)) return []
        const kind = filled(part['content_type']) ?? 'part'
        if (typeof part['text'] === 'string') return said(part['text'])
        // What is pointed to is looked for where the file stands; see `attachments.ts`.
        if (filled(part['asset_pointer']) === undefined) missing.push(kind)
        return [{ type: 'data', kind: `chatgpt:${kind}`, data: part }]
      })
      return { parts, missing }
    }
    case 'code':
    case 'execution_output':
    case 'system_error':
    case 'tether_quote':
      return { parts: said(field(content, 'text')), missing }
    case 'tether_browsing_display':
      return { parts: said(field(content, 'result') ?? field(content, 'summary')), missing }
    case 'thoughts': {
      const thoughts = arrayOf(field(content, 'thoughts')).flatMap((thought) =>
        [field(thought, 'summary'), field(thought, 'content')].filter(
          (text) => typeof text === 'string' && text !== '',
        ),
      )
      return { parts: thoughts.length === 0 ? [] : [{ type: 'reasoning', text: thoughts.join('\n') }], missing }
    }
    case 'reasoning_recap': {
      const recap = filled(field(content, 'content'))
      return { parts: recap === undefined ? [] : [{ type: 'reasoning', text: recap }], missing }
    }
    default:
      if (typeof content === 'string') return { parts: said(content), missing }
      if (!isObject(content)) return { parts: [], missing }
      if (type === undefined && isArray(content['parts'])) return readContent({ ...content, content_type: 'text' })
      return { parts: [{ type: 'data', kind: `chatgpt:${type ?? 'content'}`, data: content }], missing }
  }
}
