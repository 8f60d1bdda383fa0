import type { z } from 'zod'
import type { Key } from '../domain/key.ts'
import type { Memory } from '../api/memory.ts'
import type { Scope } from '../api/scope.ts'
import type { Operation } from '../surface/operation.ts'
import type { OperationName } from '../wire/operations.ts'
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
  readonly request: Request
  readonly limits: Limits
  /** The directory that backups may be written to, if there is one. */
  readonly backups: string | undefined
  /** Checks again that the key is still valid, for what stays open. @throws {MemoryError} `access/unauthenticated` */
  readonly checkKey: () => Promise<void>
  /** Ends when the client goes or the server stops: what streams must end then. */
  readonly signal: AbortSignal
}

/** What answers an operation. The operation says where it is and what a key needs, so there is no route without a rule. */
export interface Route {
  readonly operation: OperationName
  /** Its description, from which the OpenAPI document is made. Routes without one have schemas of their own below. */
  readonly described?: Operation
  readonly summary: string
  /** What the query may have, the body and the answer: for the OpenAPI document. The library checks them. */
  readonly query?: z.ZodObject
  readonly body?: z.ZodType
  readonly answer?: z.ZodType
  /** Reads the body, or writes the answer, as it goes: other rules on size and time. */
  readonly streams?: 'in' | 'out'
  /** May take as long as it takes. */
  readonly patient?: true
  readonly handle: (call: Call) => unknown
}

/** Whether something is created: then the status is 201. */
export function isCreation({ described }: Route): boolean {
  return described?.creates === true
}
