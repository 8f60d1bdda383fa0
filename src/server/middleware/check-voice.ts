import { MemoryError } from '../../domain/error.ts'
import { type Key, allows } from '../../domain/key.ts'

const OTHERS: readonly string[] = ['user', 'assistant', 'tool']

/**
 * Refuses messages in the voice of the system for a key that may not instruct: that voice is the operator's, and a model obeys it.
 * A session's description is such a message.
 *
 * @throws {MemoryError} `access/forbidden`
 */
export function checkVoice(key: Key, said: { readonly messages?: unknown; readonly description?: unknown }): void {
  if (allows(key.can, 'instruct')) return
  const messages: readonly unknown[] = Array.isArray(said.messages) ? said.messages : [said.messages]
  if (said.description === undefined && !messages.some(isSystem)) return
  throw new MemoryError(
    'access/forbidden',
    `Cannot speak as the system with this key: it may ${key.can.join(', ')}, expected instruct`,
    { can: key.can, expected: 'instruct' },
  )
}

/** Everything that is not one of the other voices: dialects have more than one name for the system's. */
function isSystem(message: unknown): boolean {
  if (typeof message !== 'object' || message === null || !('role' in message)) return false
  return typeof message.role === 'string' && !OTHERS.includes(message.role)
}
