import { MemoryError } from '../../domain/error.ts'
import { covers } from '../../domain/key.ts'
import type { Mem0Call } from './mem0-call.ts'

/** The messages that one add stored. */
export interface AddedRange {
  readonly scope: string
  readonly session: string
  /** Sequence number of the first. */
  readonly first: number
  readonly count: number
}

export function writeEventId({ scope, session, first, count }: AddedRange): string {
  return Buffer.from(JSON.stringify([scope, session, first, count])).toString('base64url')
}

/** @throws {MemoryError} `log/not-found` */
export function readEventId({ key, base }: Pick<Mem0Call, 'key' | 'base'>, written: string): AddedRange {
  try {
    const [scope, session, first, count] = JSON.parse(
      Buffer.from(written, 'base64url').toString(),
    ) as readonly unknown[]
    if (
      typeof scope === 'string' &&
      typeof session === 'string' &&
      Number.isSafeInteger(first) &&
      Number.isSafeInteger(count) &&
      scope.startsWith(`${base}/`) &&
      covers(key.scope, scope)
    )
      return { scope, session, first: Number(first), count: Number(count) }
  } catch {
    // not one of ours
  }
  throw new MemoryError('log/not-found', 'Event not found!')
}
