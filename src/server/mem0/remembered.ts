import type { Scope } from '../../api/scope.ts'
import type { Fact } from '../../domain/fact.ts'
import type { Message } from '../../domain/message.ts'
import { isExpired, isMemory } from './memory-json.ts'

/**
 * What Mem0 calls a memory, for its clients and for the MCP tools of its names: something that was said, word for word, or a fact that
 * was stored by itself. A fact that was learned from what was said is not a second memory.
 */
export type Remembered =
  | { readonly kind: 'said'; readonly session: string; readonly message: Message }
  | { readonly kind: 'fact'; readonly fact: Fact }

/** The message at a place, if it is a memory. */
export async function saidAt(
  scope: Scope,
  { session, id }: { readonly session: string; readonly id: string },
): Promise<Remembered | undefined> {
  const message = await scope.session(session).get(id)
  return message !== undefined && isMemory(message) ? { kind: 'said', session, message } : undefined
}

/** Whether a fact is a memory of this scope: it is true, and nothing that was said is its source. */
export function isStoredFact(scope: Scope, { scope: owner, state, sources }: Fact): boolean {
  return owner === scope.name && state === 'current' && sources.every(({ type }) => type !== 'message')
}

/** Whether it was added with a last day that is over. */
export function isPast(memory: Remembered, now: number): boolean {
  return memory.kind === 'said' && isExpired(memory.message, now)
}
