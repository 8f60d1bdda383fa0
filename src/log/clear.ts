import { amend } from './amend.ts'
import type { Address, Log } from './log.ts'

export interface ClearOptions {
  /**
   * Leave system messages in the window.
   *
   * @default true
   */
  readonly keepSystem?: boolean
}

/** Takes everything so far out of the window; the log keeps it. Answers up to which sequence number. */
export async function clear(
  log: Log,
  address: Address,
  { keepSystem = true }: ClearOptions,
): Promise<{ readonly through: number }> {
  await log.order.after(address, Promise.resolve())
  return log.store.change<{ readonly through: number }>({
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
