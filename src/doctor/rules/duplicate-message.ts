import type { JSONValue } from '../../domain/json.ts'
import { field, isObject, omitKeys } from '../../dialects/canonical/json.ts'
import type { Specimen, ExaminedConversation } from '../specimen.ts'
import { type DoctorProblem, jsonText } from './problem.ts'

/** What differs between two copies of one message. */
const STAMPS = ['id', 'uuid', 'at', 'createdAt', 'created_at', 'timestamp', 'seq']

/**
 * The same message twice: a retry that appended again, a resumed session that copied what it resumed, a system prompt that
 * every load adds. It costs tokens each turn and breaks stores that go by id. Tool calls are the business of other rules.
 */
export function* duplicateMessage({ conversations }: Specimen): Generator<DoctorProblem> {
  for (const conversation of conversations) yield* duplicates(conversation)
}

function* duplicates(conversation: ExaminedConversation): Generator<DoctorProblem> {
  const { messages, path, key } = conversation
  const tools = toolMessages(conversation)
  const byId = new Map<string, string>()
  const prompts = new Set<string>()
  let before = ''
  for (const [index, message] of messages.entries()) {
    const content = contentOf(message)
    const at = [...path, ...key, index]
    const id = field(message, 'id')
    const same = typeof id === 'string' ? byId.get(id) : undefined
    const again =
      same === content ||
      (!isTooled(tools, [...key, index]) && content !== '' && (content === before || prompts.has(content)))
    if (again) yield repeated(at, same === content ? 'its id' : 'its content')
    else if (same !== undefined) yield renamed(at)
    else before = content
    if (typeof id === 'string' && same === undefined) byId.set(id, content)
    if (field(message, 'role') === 'system') prompts.add(content)
  }
}

function repeated(path: readonly (string | number)[], what: string): DoctorProblem {
  return {
    rule: 'duplicate-message',
    topic: 'duplicate',
    severity: 'warning',
    path,
    message: `Found a message twice: ${what} is already there`,
    fix: 'Leaves the second copy out',
    edits: [{ path }],
  }
}

function renamed(path: readonly (string | number)[]): DoctorProblem {
  return {
    rule: 'duplicate-id',
    topic: 'duplicate',
    severity: 'warning',
    path,
    // Without the id: it may hold a secret as well as any other text.
    message: 'Found an id twice: the content of the messages differs, expected an id for each',
  }
}

function contentOf(message: JSONValue): string {
  return isObject(message) ? jsonText(omitKeys(message, STAMPS)) : ''
}

/** Places of messages that call or answer: two of those in a row may well be meant. */
function toolMessages(conversation: ExaminedConversation): ReadonlySet<string> {
  return new Set(
    conversation
      .spoken()
      .filter(({ draft }) => draft.parts.some(({ type }) => type === 'tool-call' || type === 'tool-result'))
      .map(({ path }) => path.join('/')),
  )
}

function isTooled(tools: ReadonlySet<string>, path: readonly (string | number)[]): boolean {
  return tools.has(path.join('/'))
}
