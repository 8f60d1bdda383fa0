import type { Key } from '../domain/key.ts'
import type { Memory } from '../api/memory.ts'
import type { Scope } from '../api/scope.ts'
import type { Operation } from '../surface/operation.ts'
import type { Arrived } from './arrived.ts'
import type { Limits } from './limits.ts'

/** A request that was let in: its key may do this, and its body was read within the limits. */
export interface Call {
  readonly memory: Memory
  /** Of the path; for operations of the whole memory there is none, and using it is a mistake of ours. */
  readonly scope: Scope
  readonly names: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, unknown>>
  readonly body: unknown
  readonly key: Key
  readonly idempotencyKey: string | undefined
  readonly request: Arrived
  readonly limits: Limits
  /** The directory that backups may be written to, if there is one. */
  readonly backups: string | undefined
  /** Checks again that the key is still valid, for what stays open. @throws {MemoryError} `access/unauthenticated` */
  readonly checkKey: () => Promise<void>
  /** Ends when the client goes or the server stops: what streams must end then. */
  readonly signal: AbortSignal
}

/** What serves an operation. The operation says where it is and what a key needs, so there is no route without a rule. */
export interface Route {
  readonly operation: Operation
  readonly handle: (call: Call) => unknown
}
