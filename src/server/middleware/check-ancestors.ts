import { MemoryError } from '../../domain/error.ts'
import { type Key, covers } from '../../domain/key.ts'
import { rootOf } from '../../domain/scope-path.ts'

/**
 * Refuses `ancestors: true`, at the top of a request or in its `recall`, for a key that does not cover all ancestors of the
 * scope: it could not read their messages in any other way either. The same for the options of a recorded context.
 *
 * @throws {MemoryError} `access/forbidden`
 */
export function checkAncestors(key: Key, scope: string | undefined, body: unknown): void {
  if (scope === undefined || covers(key.scope, rootOf(scope))) return
  if (!asksForAncestors(body) && !asksForAncestors(fieldOf(body, 'recall'))) return
  throw new MemoryError(
    'access/forbidden',
    `Cannot read the messages of ancestors with this key: it is for ${key.scope}, expected a key that covers ${rootOf(scope)}`,
    { scope, covers: key.scope, expected: rootOf(scope) },
  )
}

function asksForAncestors(options: unknown): boolean {
  return fieldOf(options, 'ancestors') === true
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined
}
