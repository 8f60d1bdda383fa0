import { MemoryError } from '../../domain/error.ts'
import type { Mem0Call } from './mem0-call.ts'
import { readOpaqueId, writeOpaqueId } from './opaque-id.ts'

/** Where a memory is. */
export interface Mem0Place {
  readonly scope: string
  readonly session: string
  readonly id: string
}

export function writeMemoryId({ scope, session, id }: Mem0Place): string {
  return writeOpaqueId([scope, session, id])
}

/** @throws {MemoryError} `log/not-found` for what is no id, or an id of a scope that the key does not cover. */
export function readMemoryId(call: Pick<Mem0Call, 'key' | 'base'>, written: string): Mem0Place {
  const [scope, session, id] = readOpaqueId(call, written)
  if (typeof scope !== 'string' || typeof session !== 'string' || typeof id !== 'string') throw memoryNotFound()
  return { scope, session, id }
}

/** What Mem0's own server says. */
export function memoryNotFound(): MemoryError {
  return new MemoryError('log/not-found', 'Memory not found!')
}
