import { defined } from '../../domain/defined.ts'
import { MemoryError } from '../../domain/error.ts'
import { amend } from '../../log/amend.ts'
import type { Address, Log } from '../../log/log.ts'
import { type View, openView } from '../../log/view.ts'
import type { LogStore } from '../../ports/log-store.ts'
import { type StoredCompaction, type Undo, compactionsIn } from '../window/compaction.ts'

/**
 * Takes back the last compaction of the session's window, or a named one and all that stand on it: the window is again what it was
 * before, with what was appended since. What a context folded is taken back by its name. The log keeps both. Returns the names of
 * what was undone, newest first.
 *
 * @throws {MemoryError} `context/not-found` if no compaction with this name is in effect.
 */
export async function undoCompaction(log: Log, address: Address, compaction?: number): Promise<readonly number[]> {
  for (;;) {
    const view = await openView(log.store, address)
    let found: ToUndo | undefined
    if (view !== undefined) {
      found = await toUndo(log.store, view, compaction)
    }
    if (view === undefined || found === undefined) throw notFound(address, compaction)
    const { undo, undone } = found
    const stored = await log.store.change<boolean>({
      ...address,
      questions: { ids: [], callIds: [], blobs: [] },
      decide: ({ session }) => {
        if (session === undefined || session.version - view.version !== session.lastSeq - view.lastSeq)
          return { answer: false }
        return amend(log, session, { kind: 'undo', seq: session.lastSeq, body: JSON.stringify(undo) }, () => true)
      },
    })
    if (stored) return undone
  }
}

interface ToUndo {
  readonly undo: Undo
  readonly undone: readonly number[]
}

/** The last compaction of the session, or the named one, and all that stand on it. */
async function toUndo(store: LogStore, view: View, named: number | undefined): Promise<ToUndo | undefined> {
  const later: StoredCompaction[] = []
  for await (const { inEffect, ...found } of compactionsIn(store, view)) {
    if (named !== undefined && found.version < named) return undefined
    if (!inEffect) continue
    later.push(found)
    const { call } = found.compaction
    if (named === undefined ? call !== undefined : found.version !== named) continue
    const undo = { from: found.version, ...defined({ call: call?.digest }) }
    // Everything that came after a compaction of the session stands on it; what is for another kind of call stands on neither.
    const undone = later.filter(({ compaction }) => call === undefined || compaction.call?.digest === call.digest)
    return { undo, undone: undone.map(({ version }) => version) }
  }
  return undefined
}

function notFound(address: Address, compaction: number | undefined): MemoryError {
  const what = compaction === undefined ? 'no compaction' : `no compaction ${compaction}`
  return new MemoryError(
    'context/not-found',
    `Nothing to undo: session ${JSON.stringify(address.session)} has ${what} in effect`,
    { ...address, compaction },
  )
}
