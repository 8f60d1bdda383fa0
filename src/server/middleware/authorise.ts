import { MemoryError } from '../../domain/error.ts'
import { type Key, allows, covers } from '../../domain/key.ts'
import { checkScope } from '../../domain/names.ts'
import type { Operation } from '../../surface/operation.ts'

/**
 * Nothing, if the key may do this there. Another's scope is not found, whatever the key may do: being forbidden would tell
 * that it exists.
 *
 * @throws {MemoryError} `access/not-found`, `access/forbidden`, `input/invalid`
 */
export function authorise(key: Key, operation: Pick<Operation, 'can' | 'narrows'>, scope: string | undefined): void {
  const reached = scope === undefined ? key.scope === null || operation.narrows !== undefined : covers(key.scope, scope)
  if (!reached) throw new MemoryError('access/not-found', 'Cannot find this scope: there is nothing here for this key')
  if (scope !== undefined) checkScope('open a scope', scope)
  if (!allows(key.can, operation.can)) {
    throw new MemoryError(
      'access/forbidden',
      `This key does not allow the request: it may ${key.can.join(', ')}, expected ${operation.can}`,
      {
        can: key.can,
        expected: operation.can,
      },
    )
  }
}
