import { refuse } from './refuse.ts'

/**
 * Checks the scope that an adapter is given. Without types, people give its path.
 *
 * @throws {MemoryError} `input/invalid`
 */
export function checkScopeHandle(attempt: string, scope: unknown): void {
  const { session, records } = (scope ?? {}) as { readonly session?: unknown; readonly records?: unknown }
  if (typeof session !== 'function' && typeof records !== 'function')
    refuse(attempt, 'scope', scope, "a scope, for example memory.scope('acme/ada')")
}
