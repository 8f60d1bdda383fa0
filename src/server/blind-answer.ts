import { MemoryError } from '../domain/error.ts'
import { type Key, allows } from '../domain/key.ts'
import type { OperationName } from '../wire/operations.ts'

type Values = Readonly<Record<string, unknown>>

/** By operation, for those that tell a writer something it needs: ids of what it made itself, and counts. */
const answers: Partial<Record<OperationName, (value: Values) => unknown>> = {
  'messages.append': ({ messages }) => ({ messages: pick(messages, 'id', 'seq'), warnings: [] }),
  'messages.bulk': ({ appended, lastSeq }) => ({ appended, lastSeq, warnings: 0 }),
  // A fact that was there before belongs to whoever told it first.
  'facts.remember': ({ facts }) => ({
    facts: pick(
      (facts as readonly Values[]).filter(({ outcome }) => outcome === 'added'),
      'id',
    ),
    count: (facts as readonly Values[]).length,
  }),
  'proposals.propose': ({ id }) => ({ id }),
  'proposals.consolidate': ({ proposals }) => ({ count: (proposals as readonly Values[]).length }),
  'imports.batch': ({ messages, facts }) => ({ messages, changed: [], facts }),
  'tasks.add': ({ id }) => ({ id }),
  'notes.add': ({ id }) => ({ id }),
}

/** Errors that are about the request, the key or the server, and say nothing of what is stored. */
const HARMLESS = /^(?:input|access|server|store)\//

/** What a key that may not read gets in place of an answer: ids of what it made itself and counts, nothing else. */
export function blindAnswer(key: Key, operation: OperationName, value: unknown): unknown {
  if (allows(key.can, 'read')) return value
  return answers[operation]?.(value as Values) ?? {}
}

/** The same for an error: what it says of stored things is left out, its code stays. */
export function blindError(key: Key | null, error: unknown): unknown {
  if (key === null || allows(key.can, 'read') || !MemoryError.is(error) || HARMLESS.test(error.code)) return error
  return new MemoryError(error.code, `Cannot do that: ${error.code}; the reason is shown to keys that may read`)
}

function pick(items: unknown, ...names: readonly string[]): readonly Values[] {
  return (items as readonly Values[]).map((item) => Object.fromEntries(names.map((name) => [name, item[name]])))
}
