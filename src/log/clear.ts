import type { ClearOptions, Cleared } from '../api/sessions.ts'
import { amend } from './amend.ts'
import type { Address, Log } from './log.ts'

/** Takes everything so far out of the window. The log keeps it. */
export async function clear(log: Log, address: Address, { keepSystem = true }: ClearOptions): Promise<Cleared> {
  await log.order.after(address, Promise.resolve())
  return log.store.change<Cleared>({
    ...address,
    questions: { ids: [], callIds: [], blobs: [] },
    decide: ({ session }) => {
      if (session === undefined || session.lastSeq === 0) return { answer: { through: 0 } }
      const through = session.lastSeq
      return amend(log, session, { kind: keepSystem ? 'clear-keeping-system' : 'clear', seq: through }, () => ({
        through,
      }))
    },
  })
}
