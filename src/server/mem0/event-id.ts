import { MemoryError } from '../../domain/error.ts'
import type { Mem0Call } from './mem0-call.ts'
import { readOpaqueId, writeOpaqueId } from './opaque-id.ts'

/** The messages that one add stored. */
export interface AddedRange {
  readonly scope: string
  readonly session: string
  /** Sequence number of the first. */
  readonly first: number
  readonly count: number
}

export function writeEventId({ scope, session, first, count }: AddedRange): string {
  return writeOpaqueId([scope, session, first, count])
}

/** @throws {MemoryError} `log/not-found` */
export function readEventId(call: Pick<Mem0Call, 'key' | 'base'>, written: string): AddedRange {
  const [scope, session, first, count] = readOpaqueId(call, written)
  if (
    typeof scope !== 'string' ||
    typeof session !== 'string' ||
    !Number.isSafeInteger(first) ||
    !Number.isSafeInteger(count)
  )
    throw new MemoryError('log/not-found', 'Event not found!')
  return { scope, session, first: Number(first), count: Number(count) }
}
