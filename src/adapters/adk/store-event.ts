import type { Event } from '@google/adk'
import type { Session } from '../../api/session.ts'
import { MemoryError } from '../../domain/error.ts'
import { keptEvent } from './kept-event.ts'
import { storeEntries } from '../entries/store-entries.ts'

/**
 * Stores an event once. An event that was stored with other content is stored again under a further id, and the earlier one leaves
 * the window.
 */
export async function storeEvent(session: Session, event: Event): Promise<void> {
  let earlier: string | undefined
  for (let times = 0; ; times++) {
    const id = times === 0 ? event.id : `${event.id}~${times}`
    try {
      await storeEntries(session, [keptEvent(event, id)], { refuseOthers: true })
      if (earlier !== undefined) await removeEntry(session, earlier)
      return
    } catch (error) {
      if (!MemoryError.is(error, 'log/id-conflict')) throw error
      earlier = id
    }
  }
}

/** An entry may be several messages: the further ones have its id and a number. */
async function removeEntry(session: Session, id: string): Promise<void> {
  await session.remove(id)
  for (let further = 1; (await session.get(`${id}#${further}`)) !== undefined; further++)
    await session.remove(`${id}#${further}`)
}
