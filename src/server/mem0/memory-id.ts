import { MemoryError } from '../../domain/error.ts'
import { covers } from '../../domain/key.ts'
import type { Mem0Call } from './mem0-call.ts'

/** Where a memory is: Mem0's clients name a memory by an id alone. */
export interface Mem0Place {
  readonly scope: string
  readonly session: string
  readonly id: string
}

export function writeMemoryId({ scope, session, id }: Mem0Place): string {
  return Buffer.from(JSON.stringify([scope, session, id])).toString('base64url')
}

/** @throws {MemoryError} `log/not-found` for what is no id, or an id of a scope that the key does not cover. */
export function readMemoryId({ key, base }: Pick<Mem0Call, 'key' | 'base'>, written: string): Mem0Place {
  try {
    const place: unknown = JSON.parse(Buffer.from(written, 'base64url').toString())
    if (Array.isArray(place) && place.length === 3 && place.every((one) => typeof one === 'string')) {
      const [scope = '', session = '', id = ''] = place as readonly string[]
      if (scope.startsWith(`${base}/`) && covers(key.scope, scope)) return { scope, session, id }
    }
  } catch {
    // not one of ours
  }
  throw memoryNotFound()
}

/** What Mem0's own server says. */
export function memoryNotFound(): MemoryError {
  return new MemoryError('log/not-found', 'Memory not found!')
}
