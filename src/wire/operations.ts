import type { Verb } from '../domain/key.ts'
import type { Operation } from '../surface/operation.ts'
import { surface } from '../surface/index.ts'
import { textParameters } from '../surface/request-fields.ts'

/** One call of the surface as it travels: a method, an address, and what a key must be allowed to do. */
export interface WireOperation {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  /** Parameters in braces; each is one segment, so a slash in a scope travels as `%2F`. */
  readonly path: string
  readonly can: Verb
  /** Query parameters that are text as it stands. All others are JSON, so that `5` and `"5"` differ. */
  readonly text?: readonly string[]
  /** @default by its method and what a key needs */
  readonly writes?: boolean
}

export type OperationName =
  | 'messages.append'
  | 'messages.bulk'
  | 'messages.export'
  | 'messages.history'
  | 'messages.get'
  | 'messages.revise'
  | 'messages.remove'
  | 'messages.recent'
  | 'messages.byRole'
  | 'messages.search'
  | 'messages.watch'
  | 'messages.blobs'
  | 'sessions.list'
  | 'sessions.count'
  | 'sessions.stats'
  | 'sessions.clear'
  | 'sessions.fork'
  | 'sessions.usage'
  | 'sessions.document'
  | 'state.snapshot'
  | 'state.entry'
  | 'state.set'
  | 'state.delete'
  | 'state.history'
  | 'tasks.list'
  | 'tasks.add'
  | 'tasks.change'
  | 'notes.list'
  | 'notes.add'
  | 'notes.change'
  | 'notes.delete'
  | 'contexts.build'
  | 'contexts.window'
  | 'contexts.compact'
  | 'contexts.undo'
  | 'contexts.compactions'
  | 'contexts.reopen'
  | 'recall.ask'
  | 'facts.list'
  | 'facts.remember'
  | 'facts.get'
  | 'facts.history'
  | 'facts.version'
  | 'facts.retract'
  | 'facts.restore'
  | 'facts.endorse'
  | 'facts.endorseAll'
  | 'facts.rollBack'
  | 'facts.forget'
  | 'imports.batch'
  | 'retention.get'
  | 'retention.set'
  | 'graph.around'
  | 'graph.path'
  | 'graph.entities'
  | 'graph.entity'
  | 'graph.predicates'
  | 'graph.predicate'
  | 'proposals.list'
  | 'proposals.propose'
  | 'proposals.consolidate'
  | 'proposals.apply'
  | 'proposals.revert'
  | 'archive.export'
  | 'archive.import'
  | 'jobs.inScope'
  | 'jobs.list'
  | 'jobs.retry'
  | 'jobs.cancel'
  | 'memory.settled'
  | 'memory.verify'
  | 'memory.verifyForgotten'
  | 'memory.rebuild'
  | 'memory.schema'
  | 'memory.stats'
  | 'memory.export'
  | 'memory.import'
  | 'memory.backup'
  | 'keys.list'
  | 'keys.create'
  | 'keys.revoke'
  | 'audit.read'

/** A described operation as it travels. */
export function wireOf(operation: Operation): WireOperation {
  const { method, path, can, writes } = operation
  return { method, path, can, writes, text: textParameters(operation) }
}

/** Everything that can be asked of a server: what is described in `surface/`. */
export const operations: Readonly<Record<OperationName, WireOperation>> = Object.fromEntries(
  surface.map((operation) => [operation.name, wireOf(operation)]),
) as Readonly<Record<OperationName, WireOperation>>

/** Whether it changes something: then an `Idempotency-Key` is honoured and the audit trail has it. */
export function isWrite({ method, can, writes = method !== 'get' && can !== 'read' }: WireOperation): boolean {
  return writes
}
