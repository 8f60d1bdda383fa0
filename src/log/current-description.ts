import type { Message } from '../domain/message.ts'
import { get } from './get.ts'
import { history } from './history.ts'
import type { Address, Log } from './log.ts'

/** The id of a description that a session got later. */
export const DESCRIPTION_ID = 'description'

/** The system message that describes a session: the one that it started with, or the one that it got later. */
export async function currentDescription(log: Log, address: Address): Promise<Message | undefined> {
  const [first] = await history(log.store, address, { limit: 1 })
  if (first === undefined || first.role === 'system') return first
  const later = await get(log.store, address, DESCRIPTION_ID)
  return later?.role === 'system' ? later : undefined
}
