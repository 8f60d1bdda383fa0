import { MemoryError } from '../domain/error.ts'
import { type Key, allows } from '../domain/key.ts'
import { aListOf, either } from '../shape/combine.ts'
import { anObject, mustHave } from '../shape/object.ts'
import type { AnyShape, Fields, RequiredField } from '../shape/shape.ts'
import { aNull, aText, aWholeNumber } from '../shape/values.ts'
import type { Operation } from '../surface/operation.ts'

/** The media type of what a key that may not read gets: ids of what it made itself and counts, nothing else. */
export const MINIMAL_TYPE = 'application/vnd.daybook.minimal+json'

type Values = Readonly<Record<string, unknown>>

interface MinimalAnswer {
  readonly shape: AnyShape
  readonly from: (value: Values) => Values
}

const id: RequiredField<string> = mustHave(aText, 'The id of what was made')
const number = (help: string): RequiredField<number> => mustHave(aWholeNumber, help)

const idAlone: MinimalAnswer = { shape: fields({ id }), from: (value) => ({ id: value['id'] }) }
const nothing: MinimalAnswer = { shape: fields({}), from: () => ({}) }

const imported: MinimalAnswer = {
  shape: fields({ messages: number('How many messages were given'), facts: number('How many facts were given') }),
  from: ({ messages, facts }) => ({ messages: given(messages), facts: given(facts) }),
}

/** By operation, for those that return something a writer needs. */
const answers: Readonly<Record<string, MinimalAnswer>> = {
  'messages.append': {
    shape: fields({
      messages: mustHave(aListOf(fields({ id, seq: number('Its position') })), 'What was appended'),
      warnings: mustHave(aListOf(aText), 'Always empty'),
    }),
    from: ({ messages }) => ({ messages: pick(messages, 'id', 'seq'), warnings: [] }),
  },
  'messages.bulk': {
    shape: fields({
      appended: number('How many messages were stored'),
      lastSeq: mustHave(either([aWholeNumber, aNull]), 'The position of the last one'),
      warnings: number('Always 0'),
    }),
    from: ({ appended, lastSeq }) => ({ appended, lastSeq, warnings: 0 }),
  },
  'changes.change': {
    shape: fields({
      messages: mustHave(aListOf(fields({ id, seq: number('Its position') })), 'What was appended or revised'),
      warnings: mustHave(aListOf(aText), 'Always empty'),
      lastSeq: number('The last position'),
      version: number('The version of the log'),
    }),
    from: ({ messages, lastSeq, version }) => ({
      messages: pick(messages, 'id', 'seq'),
      warnings: [],
      lastSeq,
      version,
    }),
  },
  'changes.sync': {
    shape: fields({
      appended: mustHave(aListOf(fields({ id, seq: number('Its position') })), 'What was appended'),
      revised: mustHave(aListOf(fields({ id, seq: number('Its position') })), 'What was revised'),
      lastSeq: number('The last position'),
      version: number('The version of the log'),
    }),
    from: ({ appended, revised, lastSeq, version }) => ({
      appended: pick(appended, 'id', 'seq'),
      revised: pick(revised, 'id', 'seq'),
      lastSeq,
      version,
    }),
  },
  // Not which of them are new: whoever guesses a fact could find out in that way whether it is stored.
  'facts.remember': {
    shape: fields({ count: number('How many facts were given') }),
    from: ({ facts }) => ({ count: (facts as readonly Values[]).length }),
  },
  'proposals.propose': idAlone,
  'proposals.consolidate': {
    shape: fields({ count: number('How many proposals were made') }),
    from: ({ proposals }) => ({ count: (proposals as readonly Values[]).length }),
  },
  'imports.batch': imported,
  'imports.file': imported,
  'tasks.add': idAlone,
  'notes.add': idAlone,
}

/** Errors that are about the request, the key or the server, and say nothing of what is stored. */
const HARMLESS = /^(?:input|access|server|store)\//

/** Whether a key gets minimal answers. */
export function isBlind(key: Key | null): boolean {
  return key === null || !allows(key.can, 'read')
}

/** The shape of the minimal answer, for operations that a key may call without being allowed to read. */
export function minimalShape({ name, can }: Operation): AnyShape | undefined {
  return can === 'read' || can === 'admin' ? undefined : (answers[name] ?? nothing).shape
}

/** What a key gets of an answer. */
export function blindAnswer(key: Key | null, operation: string, value: unknown): unknown {
  return isBlind(key) ? (answers[operation] ?? nothing).from(value as Values) : value
}

/** The same for an error: what it says of stored things is left out, its code stays. */
export function blindError(key: Key | null, error: unknown): unknown {
  if (key === null || !isBlind(key) || !MemoryError.is(error) || HARMLESS.test(error.code)) return error
  return new MemoryError(
    error.code,
    `The request failed with ${error.code}. Only a key that may read is shown the reason`,
  )
}

function fields(described: Fields): AnyShape {
  return anObject<object>(undefined, described as object)
}

function given(counted: unknown): number {
  const { new: added, present } = counted as Readonly<Record<'new' | 'present', number>>
  return added + present
}

function pick(items: unknown, ...names: readonly string[]): readonly Values[] {
  return (items as readonly Values[]).map((item) => Object.fromEntries(names.map((name) => [name, item[name]])))
}
