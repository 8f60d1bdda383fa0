import { type Stats, statSync } from 'node:fs'

/**
 * Which database files this process has open, by inode. POSIX drops all of a process's locks on a file when any descriptor
 * of it is closed (https://www.sqlite.org/howtocorrupt.html#_posix_advisory_locks_canceled_by_a_separate_thread_doing_close_),
 * so nobody but SQLite may open and close a file that SQLite has open here. On `globalThis`, because a second copy of this
 * package shares the process and its locks.
 */
const registry = Symbol.for('daybook.open-database-files')

function counts(): Map<string, number> {
  const holder = globalThis as { [registry]?: Map<string, number> }
  holder[registry] ??= new Map()
  return holder[registry]
}

/** A file, whatever it is called; `undefined` if there is none. */
export function identityOf(file: string): string | undefined {
  const stats: Stats | undefined = statSync(file, { throwIfNoEntry: false })
  return stats === undefined ? undefined : `${stats.dev}:${stats.ino}`
}

export function isOpenHere(identity: string | undefined): boolean {
  return identity !== undefined && (counts().get(identity) ?? 0) > 0
}

/** Counts a file as open until the answer is called. */
export function holdOpen(identity: string): () => void {
  const open = counts()
  open.set(identity, (open.get(identity) ?? 0) + 1)
  return () => {
    const left = (open.get(identity) ?? 1) - 1
    if (left > 0) open.set(identity, left)
    else open.delete(identity)
  }
}
