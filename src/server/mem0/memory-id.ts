import { MemoryError } from '../../domain/error.ts'
import type { Mem0Call } from './mem0-call.ts'
import { readOpaqueId, writeOpaqueId } from './opaque-id.ts'

/** Where a memory is. */
export interface Mem0Place {
  readonly scope: string
  /** Of a message; a fact has none. */
  readonly session?: string
  readonly id: string
}

export function writeMemoryId({ scope, session, id }: Mem0Place): string {
  return writeOpaqueId(session === undefined ? [scope, id] : [scope, session, id])
}

/** @throws {MemoryError} `log/not-found` for what is no id, or an id of a scope that the key does not cover. */
export function readMemoryId(call: Pick<Mem0Call, 'key' | 'base'>, written: string): Mem0Place {
  const values = readOpaqueId(call, written)
  const [scope, first, second] = values
  if (typeof scope !== 'string' || typeof first !== 'string') throw memoryNotFound()
  if (values.length === 2) return { scope, id: first }
  if (typeof second !== 'string') throw memoryNotFound()
  return { scope, session: first, id: second }
}

/** What Mem0's own server says. */
export function memoryNotFound(): MemoryError {
  return new MemoryError('log/not-found', 'Memory not found!')
}
