import type { JSONValue } from '../domain/json.ts'
import type { NewFact } from '../domain/new-fact.ts'
import type { NewMessage } from '../domain/new-message.ts'
import { refuse } from '../domain/refuse.ts'
import { withoutSecrets } from '../domain/secrets.ts'

/**
 * Sees everything new before anything of it is stored. What it answers is stored in its place; to refuse, it throws. It gets
 * copies: changing them in place and giving them back is fine.
 */
export interface Redactor {
  /** Each message of an append, and each message as a revision would make it. */
  message?(message: NewMessage): NewMessage | PromiseLike<NewMessage>
  /** Each fact of a `remember`. */
  fact?(fact: NewFact): NewFact | PromiseLike<NewFact>
  /** Each value, note and task of a session's state; it answers with the value to store. */
  state?(state: NewState): JSONValue | PromiseLike<JSONValue>
}

/** What is about to be stored in a session's state. */
export interface NewState {
  readonly kind: 'value' | 'note' | 'task'
  /** Of the value; the id of the note or task. */
  readonly key: string
  /** The value; of a note what is given of `text` and `tags`, of a task of `description` and `reason`. */
  readonly value: JSONValue
}

/** Accepts the option `redact` of `openMemory`. */
export function toRedactor(redact: unknown): Redactor {
  if (redact === undefined) return {}
  if (redact === 'secrets') return { message: scrubbed, fact: scrubbed, state: scrubbedState }
  if (typeof redact !== 'object' || redact === null)
    refuse('open a memory', 'redact', redact, "'secrets', or an object with message, fact or state")
  for (const [name, value] of Object.entries(redact))
    if (!['message', 'fact', 'state'].includes(name) || typeof value !== 'function')
      refuse('open a memory', `redact.${name}`, value, 'message, fact or state, each a function')
  return redact as Redactor
}

/** Facts as the redactor wants them. */
export async function redactFacts(redactor: Redactor, facts: readonly NewFact[]): Promise<readonly NewFact[]> {
  const answers: NewFact[] = []
  for (const fact of facts) answers.push((await redactor.fact?.(fact)) ?? refuse('redact', 'fact', undefined, 'a fact'))
  return answers
}

/** A value of a state as the redactor wants it; it gets a copy. */
export async function redactState<Value>(
  redactor: Redactor,
  { value, ...named }: Omit<NewState, 'value'> & { readonly value: Value },
): Promise<Value> {
  if (redactor.state === undefined) return value
  const answer = await redactor.state({ ...named, value: structuredClone(value) as JSONValue })
  return (answer ?? (answer === null ? null : refuse('redact', 'state', answer, 'a value'))) as Value
}

/** Names that joins and lookups rest on, and what only a provider reads: changing them would break more than it hides. */
const UNTOUCHED: ReadonlySet<string> = new Set([
  'id',
  'role',
  'type',
  'provider',
  'toolCallId',
  'callId',
  'hash',
  'at',
  'sources',
  'source',
  'images',
])

/** What is below these is the caller's own: there the same names mean nothing. */
const OPEN: ReadonlySet<string> = new Set(['metadata', 'arguments', 'data', 'request', 'value'])

/** The same value with its texts scrubbed; bytes are left as they are. */
function scrubbed<Value>(value: Value): Value {
  return scrub(value, '', false) as Value
}

function scrubbedState({ kind, key, value }: NewState): JSONValue {
  return scrub(value, kind === 'value' ? key : '', true) as JSONValue
}

function scrub(value: unknown, name: string, isOpen: boolean): unknown {
  if (typeof value === 'string') return withoutSecrets(value, name)
  if (Array.isArray(value)) return value.map((item) => scrub(item, name, isOpen))
  if (typeof value !== 'object' || value === null || !isPlain(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      !isOpen && UNTOUCHED.has(key) ? item : scrub(item, key, isOpen || OPEN.has(key) || isData(key, item)),
    ]),
  )
}

/** Content that is an object stands for data. */
function isData(key: string, item: unknown): boolean {
  return key === 'content' && typeof item === 'object' && !Array.isArray(item)
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
