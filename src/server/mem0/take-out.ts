import type { Scope } from '../../api/scope.ts'
import type { Message } from '../../domain/message.ts'
import { MEM0, keptOf } from './memory-json.ts'

/**
 * Takes a memory that was said out of its session, and takes back what it taught. The log keeps the message. The mark of Daybook makes
 * sure that nothing is learned from it later: a learner also reads messages that were removed.
 */
export async function takeOut(
  scope: Scope,
  { session, message }: { readonly session: string; readonly message: Message },
): Promise<void> {
  const kept = keptOf(message) ?? { listed: message.role === 'user' }
  const deleted = { ...kept, deleted_at: new Date().toISOString() }
  const metadata = { ...message.metadata, [MEM0]: deleted, daybook: 'deleted' }
  await scope.session(session).revise(message.id, { metadata })
  await scope.rollBack({ message: message.id, session })
  // Last, so that a client can try again if this ends before it.
  await scope.session(session).remove(message.id)
}
