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
}

/** Accepts the option `redact` of `openMemory`. */
export function toRedactor(redact: unknown): Redactor {
  if (redact === undefined) return {}
  if (redact === 'secrets') return { message: scrubbed, fact: scrubbed }
  if (typeof redact !== 'object' || redact === null)
    refuse('open a memory', 'redact', redact, "'secrets', or an object with message or fact")
  for (const [name, value] of Object.entries(redact))
    if (!['message', 'fact'].includes(name) || typeof value !== 'function')
      refuse('open a memory', `redact.${name}`, value, 'message or fact, each a function')
  return redact as Redactor
}

/** Facts as the redactor wants them. */
export async function redactFacts(redactor: Redactor, facts: readonly NewFact[]): Promise<readonly NewFact[]> {
  const answers: NewFact[] = []
  for (const fact of facts) answers.push((await redactor.fact?.(fact)) ?? refuse('redact', 'fact', undefined, 'a fact'))
  return answers
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

/** The same value with its texts scrubbed; bytes are left as they are. */
function scrubbed<Value>(value: Value): Value {
  return scrub(value as JSONValue) as Value
}

function scrub(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return withoutSecrets(value, name)
  if (Array.isArray(value)) return value.map((item) => scrub(item, name))
  if (typeof value !== 'object' || value === null || !isPlain(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, UNTOUCHED.has(key) ? item : scrub(item, key)]),
  )
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
