import type { Address, Log } from './log.ts'
import { amend } from './amend.ts'
import { messageFromRow } from './message-from-row.ts'

/** Takes a message out of the window; the log keeps it. `false` if there is none with this id, or it is out already. */
export async function remove(log: Log, address: Address, id: string): Promise<boolean> {
  await log.order.after(address, Promise.resolve())
  return log.store.change<boolean>({
    ...address,
    questions: { ids: [id], callIds: [], blobs: [] },
    decide: ({ session, messages }) => {
      const found = messages.get(id)
      if (session === undefined || found === undefined || messageFromRow(found.row, found.amendments).removed === true)
        return { answer: false }
      return amend(log, session, { kind: 'remove', seq: found.row.seq }, () => true)
    },
  })
}
