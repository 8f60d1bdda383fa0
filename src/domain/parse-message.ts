import { checkJSONObject, isPlainObject } from './check-json.ts'
import { checkOptions } from './check-options.ts'
import type { PendingMedia } from './pending-media.ts'
import type { JSONObject } from './json.ts'
import { type Incomplete, type Role, incompleteKinds, roles } from './message.ts'
import { parseTime } from './moment.ts'
import { checkId } from './names.ts'
import { listField, parseBody } from './parse-body.ts'
import { type PartContext, parsePart, parseProvider } from './parse-part.ts'
import { readToolMessage } from './parse-tool-message.ts'
import type { Part, ProviderFields } from './part.ts'
import { refuse } from './refuse.ts'

/** A message as the caller meant it: checked, copied, in one form. Media may still wait for its bytes. */
export interface ParsedMessage {
  readonly role: Role
  readonly parts: readonly Part[]
  readonly id?: string
  readonly at?: number
  readonly name?: string
  readonly tags?: readonly string[]
  readonly metadata?: JSONObject
  readonly provider?: ProviderFields
  readonly incomplete?: Incomplete
  readonly pending: readonly PendingMedia[]
}

const fields = [
  'role',
  'parts',
  'content',
  'toolCalls',
  'agentCalls',
  'images',
  'data',
  'toolCallId',
  'name',
  'tags',
  'metadata',
  'provider',
  'incomplete',
  'id',
  'at',
]
/** What a stored message has besides: accepted and ignored, so that a message that was read can be appended elsewhere. */
const stored = ['seq', 'tokens', 'tokenizer', 'revision', 'removed', 'imported']

const partsOf: Readonly<Record<Role, readonly Part['type'][]>> = {
  system: ['text', 'data'],
  user: ['text', 'image', 'file', 'audio', 'data'],
  assistant: ['text', 'reasoning', 'image', 'file', 'audio', 'tool-call', 'tool-result', 'agent-call', 'data'],
  tool: ['tool-result', 'data'],
}

const accepted: ReadonlySet<string> = new Set([...fields, ...stored])

/** Reads one message at the door. Everything wrong with it is refused here, so nothing behind has to check again. */
export function parseMessage(attempt: string, path: string, value: unknown): ParsedMessage {
  if (!isPlainObject(value)) refuse(attempt, path, value, 'a message: an object with a role and content')
  for (const name of Object.keys(value))
    if (!accepted.has(name)) checkOptions(`${attempt}: ${path}`, { [name]: undefined }, fields, 'field')
  const role = parseRole(attempt, path, value['role'])
  const pending: PendingMedia[] = []
  const parts = parseContent(value, role, { attempt, path, pending })
  const { id, at, name, tags, metadata, provider, incomplete } = value
  if (id !== undefined) checkId(attempt, `${path}.id`, id)
  if (name !== undefined && typeof name !== 'string') refuse(attempt, `${path}.name`, name, 'a string')
  if (tags !== undefined) checkTags(attempt, `${path}.tags`, tags)
  if (metadata !== undefined) checkJSONObject(attempt, `${path}.metadata`, metadata)
  return {
    role,
    parts,
    ...(id === undefined ? {} : { id }),
    ...(at === undefined ? {} : { at: parseTime(attempt, `${path}.at`, at) }),
    ...(name === undefined ? {} : { name }),
    ...(tags === undefined || tags.length === 0 ? {} : { tags: [...tags] }),
    ...(metadata === undefined ? {} : { metadata }),
    ...(provider === undefined ? {} : { provider: parseProvider(attempt, `${path}.provider`, provider) }),
    ...(incomplete === undefined ? {} : { incomplete: parseIncomplete(attempt, `${path}.incomplete`, incomplete) }),
    pending,
  }
}

function parseIncomplete(attempt: string, path: string, value: unknown): Incomplete {
  const kind = incompleteKinds.find((known) => known === value)
  return kind ?? refuse(attempt, path, value, incompleteKinds.join(' or '))
}

/** What others call our roles. */
const calledHere: Readonly<Record<string, Role>> = {
  developer: 'system',
  human: 'user',
  ai: 'assistant',
  bot: 'assistant',
  model: 'assistant',
  function: 'tool',
}

/** Both cases are in use among the designs we cover; one is stored. */
function parseRole(attempt: string, path: string, value: unknown): Role {
  const name = typeof value === 'string' ? value.toLowerCase() : undefined
  const role = roles.find((known) => known === name)
  if (role !== undefined) return role
  const meant = name !== undefined && Object.hasOwn(calledHere, name) ? calledHere[name] : undefined
  const called = meant === undefined ? '' : ` (${name} is called ${meant} here)`
  return refuse(attempt, `${path}.role`, value, `${roles.join(', ')}${called}`)
}

function checkTags(attempt: string, path: string, tags: unknown): asserts tags is readonly string[] {
  if (!Array.isArray(tags)) refuse(attempt, path, tags, 'an array of strings')
  for (const tag of tags) if (typeof tag !== 'string' || tag === '') refuse(attempt, path, tag, 'non-empty strings')
}

function parseContent(value: Record<string, unknown>, role: Role, context: PartContext): readonly Part[] {
  const { attempt, path } = context
  if (value['parts'] !== undefined && value['content'] != null)
    refuse(attempt, path, value['content'], 'either content or parts, not both')
  const parts = role === 'tool' ? readToolMessage(value, context) : readMessage(value, context)
  if (!parts.some(saysSomething))
    refuse(
      attempt,
      `${path}.content`,
      value['parts'] === undefined ? value['content'] : value['parts'],
      'content: some text, a call, a result, media or data',
    )
  for (const part of parts) {
    if (!partsOf[role].includes(part.type))
      refuse(attempt, `${path}.parts`, part.type, `parts that a ${role} message can have: ${partsOf[role].join(', ')}`)
  }
  return parts
}

/** Whether a part has anything in it: an empty text has not. */
export function saysSomething(part: Part): boolean {
  return (part.type !== 'text' && part.type !== 'reasoning') || part.text !== '' || part.provider !== undefined
}

function readMessage(value: Record<string, unknown>, context: PartContext): Part[] {
  if (value['toolCallId'] !== undefined)
    refuse(context.attempt, `${context.path}.toolCallId`, value['toolCallId'], 'a message with role tool')
  if (isBodyAlone(value)) return parseBody(value, context)
  const at = (key: string, index: number): PartContext => ({ ...context, path: `${context.path}.${key}[${index}]` })
  const extra = (key: string, type: string, wrap: (item: unknown) => unknown): Part[] =>
    listField(value[key], key, context).map((item, index) =>
      parsePart(isPlainObject(wrap(item)) ? { ...(wrap(item) as object), type } : item, at(key, index)),
    )
  return [
    ...parseBody(value, context),
    ...extra('images', 'image', (source) => ({ source })),
    ...(value['data'] === undefined
      ? []
      : [parsePart({ type: 'data', data: value['data'] }, { ...context, path: `${context.path}.data` })]),
    ...extra('toolCalls', 'tool-call', unwrapFunction),
    ...extra('agentCalls', 'agent-call', (call) => call),
  ]
}

/** As nearly every message is: what the shorthands bring need not be looked for one by one. */
function isBodyAlone({ images, data, toolCalls, agentCalls }: Record<string, unknown>): boolean {
  return images === undefined && data === undefined && toolCalls === undefined && agentCalls === undefined
}

/** OpenAI nests name and arguments under `function`; callers pass those objects on as they are. What else is in them would be lost, so it is refused. */
function unwrapFunction(call: unknown): unknown {
  if (!isPlainObject(call) || !isPlainObject(call['function'])) return call
  checkOptions('append a nested tool call', call, ['id', 'type', 'function'], 'field')
  checkOptions('append a nested tool call', call['function'], ['name', 'arguments'], 'field')
  return { id: call['id'], name: call['function']['name'], arguments: call['function']['arguments'] }
}
