import { scan } from '../../log/scan.ts'
import type { View } from '../../log/view.ts'
import type { LogStore } from '../../ports/log-store.ts'
import type { Entry } from './entry.ts'
import type { Pins } from '../../api/contexts.ts'
import { type Window, loadWindow } from './window.ts'

const WINDOWS_MAX = 32
/** A window that nothing compacts is a whole history: keeping it would be keeping the log in memory. */
const ENTRIES_MAX = 5_000

/**
 * The windows of the sessions that were used last. A window follows from a session and its version, and rows never change:
 * when nothing but messages came since, only those are read; anything else makes it read everything again. Its entries
 * are shared by all who ask: whoever hands one out copies it.
 */
export class WindowCache {
  readonly #windows = new Map<string, Window>()

  async load(store: LogStore, view: View, pins: Pins): Promise<Window> {
    const key = JSON.stringify([view.session.key, pins])
    const known = this.#windows.get(key)
    const window =
      known !== undefined && onlyGrew(known.view, view)
        ? await grown(store, view, known)
        : await loadWindow(store, view, pins)
    this.#keep(key, window)
    return window
  }

  #keep(key: string, window: Window): void {
    this.#windows.delete(key)
    if (window.entries.length <= ENTRIES_MAX) this.#windows.set(key, window)
    const [oldest] = this.#windows.keys()
    if (this.#windows.size > WINDOWS_MAX && oldest !== undefined) this.#windows.delete(oldest)
  }
}

/** Every change of a session makes a version, and only messages make positions. */
function onlyGrew(before: View, now: View): boolean {
  return now.lastSeq >= before.lastSeq && now.version - before.version === now.lastSeq - before.lastSeq
}

async function grown(store: LogStore, view: View, known: Window): Promise<Window> {
  const added = { from: known.view.lastSeq + 1, through: view.lastSeq, newestFirst: false, withRemoved: false }
  const entries: Entry[] = [...known.entries]
  if (added.from <= added.through)
    for await (const message of scan(store, view, added)) entries.push({ type: 'message', message })
  return { ...known, view, entries }
}
