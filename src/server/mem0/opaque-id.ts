import { covers } from '../../domain/key.ts'
import type { Mem0Call } from './mem0-call.ts'

/** An id that holds where something is: Mem0's clients name things by an id alone. The first value is a scope. */
export function writeOpaqueId(values: readonly [scope: string, ...others: (string | number)[]]): string {
  return Buffer.from(JSON.stringify(values)).toString('base64url')
}

/** The values of an id; nothing if it is not one of ours, or its scope is not covered by the key. */
export function readOpaqueId({ key, base }: Pick<Mem0Call, 'key' | 'base'>, written: string): readonly unknown[] {
  try {
    const values: unknown = JSON.parse(Buffer.from(written, 'base64url').toString())
    if (!Array.isArray(values)) return []
    const [scope] = values as readonly unknown[]
    return typeof scope === 'string' && scope.startsWith(`${base}/`) && covers(key.scope, scope) ? values : []
  } catch {
    return []
  }
}
