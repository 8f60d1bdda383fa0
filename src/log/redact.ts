import { isPlainObject } from '../domain/check-json.ts'
import type { NewState, Redactor } from '../api/redactor.ts'
import type { JSONValue } from '../domain/json.ts'
import type { NewFact } from '../domain/new-fact.ts'
import { refuse } from '../domain/refuse.ts'
import { withoutSecrets } from '../domain/secrets.ts'

/** The redactor that the option `redact` of `openMemory` stands for. */
export function toRedactor(redact: 'secrets' | Redactor | undefined): Redactor {
  return redact === 'secrets' ? { message: scrubbed, fact: scrubbed, state: scrubbedState } : (redact ?? {})
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
  if (!isPlainObject(value)) return value
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
