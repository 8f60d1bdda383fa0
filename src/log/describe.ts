import { MemoryError } from '../domain/error.ts'
import type { Message } from '../domain/message.ts'
import { append } from './append.ts'
import { DESCRIPTION_ID, currentDescription } from './current-description.ts'
import type { Address, Log } from './log.ts'
import { revise } from './revise.ts'

/**
 * Gives a session another description: a new revision of the system message that it started with. One that started without gets it
 * as a system message, which contexts show first. A session that does not exist is started with it.
 */
export async function describe(log: Log, address: Address, text: string): Promise<Message> {
  for (;;) {
    const current = await currentDescription(log, address)
    if (current !== undefined) return revise(log, address, current.id, { content: text })
    try {
      const [stored] = await append(log, address, [{ role: 'system', id: DESCRIPTION_ID, content: text }])
      return stored as Message
    } catch (error) {
      // Somebody else described it first. Another message that has this id stays in the way, and is refused.
      const isTaken = MemoryError.is(error, 'log/id-conflict')
      if (!isTaken || (await currentDescription(log, address)) === undefined) throw error
    }
  }
}
