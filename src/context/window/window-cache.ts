import { scan } from '../../log/scan.ts'
import { type View, changesOf } from '../../log/view.ts'
import type { LogStore } from '../../ports/log-store.ts'
import type { Entry } from './entry.ts'
import type { Pins } from '../../api/contexts.ts'
import type { WindowOf } from './call-kind.ts'
import { type Compaction, isFor, readAmendment } from './compaction.ts'
import { type Window, loadWindow } from './window.ts'

const WINDOWS_MAX = 32
/** A window that nothing compacts is a whole history: keeping it would be keeping the log in memory. */
const ENTRIES_MAX = 5_000
/** Reading over more than these would cost more than reading the window again. */
const FOREIGN_ROWS_MAX = 8

/**
 * The windows of the sessions that were used last. A window follows from a session and its version, and rows never change:
 * when nothing but messages came since, only those are read; anything else makes it read everything again. Its entries
 * are shared by all who ask: whoever hands one out copies it.
 */
export class WindowCache {
  readonly #windows = new Map<string, Window>()

  async load(store: LogStore, view: View, pins: Pins, of: WindowOf): Promise<Window> {
    const key = JSON.stringify([view.session.key, pins, of])
    const known = this.#windows.get(key)
    const window =
      known !== undefined && (await onlyGrew(store, known, view))
        ? await grown(store, view, known)
        : await loadWindow(store, view, { pins, of })
    this.#keep(key, window)
    return window
  }

  #keep(key: string, window: Window): void {
    this.#windows.delete(key)
    if (window.entries.length <= ENTRIES_MAX && !window.entries.some(isGrowing)) this.#windows.set(key, window)
    const [oldest] = this.#windows.keys()
    if (this.#windows.size > WINDOWS_MAX && oldest !== undefined) this.#windows.delete(oldest)
  }
}

/** A message that is being streamed gets more text without a new version. */
function isGrowing(entry: Entry): boolean {
  return entry.type === 'message' && entry.message.incomplete === 'streaming'
}

/** Every change of a session makes a version, and only messages make positions. Folds for other kinds of calls change nothing here. */
async function onlyGrew(store: LogStore, { view: before, of }: Window, now: View): Promise<boolean> {
  const versions = now.version - before.version
  const others = versions - (now.lastSeq - before.lastSeq)
  if (now.lastSeq < before.lastSeq || others < 0 || others > FOREIGN_ROWS_MAX) return false
  if (others === 0) return true
  const own = now.segments.at(-1)
  if (own === undefined) return false
  for await (const row of changesOf(store, own, now.version, before.version))
    if (row.kind !== 'compact' || isFor(readAmendment<Compaction>(row), of)) return false
  return true
}

async function grown(store: LogStore, view: View, known: Window): Promise<Window> {
  const added = { from: known.view.lastSeq + 1, through: view.lastSeq, newestFirst: false, withRemoved: false }
  const entries: Entry[] = [...known.entries]
  if (added.from <= added.through)
    for await (const message of scan(store, view, added)) entries.push({ type: 'message', message })
  return { ...known, view, entries }
}
