import { MemoryError } from '../../domain/error.ts'
import { amend } from '../../log/amend.ts'
import type { Address, Log } from '../../log/log.ts'
import { openView } from '../../log/view.ts'
import { type Undo, compactionsIn } from '../window/compaction.ts'

/**
 * Takes back the last compaction, or a named one and all after it: the window is again what it was before, with what was
 * appended since. The log keeps both. Answers with the names of what was undone, newest first.
 *
 * @throws {MemoryError} `context/not-found` if the window stands on no compaction of that name.
 */
export async function undoCompaction(log: Log, address: Address, compaction?: number): Promise<readonly number[]> {
  for (;;) {
    const view = await openView(log.store, address)
    const undone: number[] = []
    if (view !== undefined) {
      // Down through the ones below, as far as the one that was named.
      for await (const { version } of compactionsIn(log.store, view, 'in-effect')) {
        if (compaction !== undefined && version < compaction) break
        undone.push(version)
        if (compaction === undefined) break
      }
    }
    const from = undone.at(-1)
    if (view === undefined || from === undefined || (compaction !== undefined && from !== compaction))
      throw notFound(address, compaction)
    const stored = await log.store.change<boolean>({
      ...address,
      questions: { ids: [], callIds: [], blobs: [] },
      decide: ({ session }) => {
        if (session === undefined || session.version - view.version !== session.lastSeq - view.lastSeq)
          return { answer: false }
        const body: Undo = { from }
        return amend(log, session, { kind: 'undo', seq: session.lastSeq, body: JSON.stringify(body) }, () => true)
      },
    })
    if (stored) return undone
  }
}

function notFound(address: Address, compaction: number | undefined): MemoryError {
  const what = compaction === undefined ? 'no compaction' : `no compaction ${compaction}`
  return new MemoryError(
    'context/not-found',
    `Cannot undo: the window of session ${JSON.stringify(address.session)} stands on ${what}, expected one that is in effect`,
    { ...address, compaction },
  )
}
