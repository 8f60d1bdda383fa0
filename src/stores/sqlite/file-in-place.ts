import { type Stats, lstatSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { identityOf } from './open-files.ts'

/** A file system stamps a change with a clock that may be some milliseconds behind. A directory that changed longer ago cannot change unseen. */
const STAMP_MS = 100

/**
 * Finds out whether a file and its write-ahead log are still the ones that were opened: somebody may have removed them, moved them or
 * put others in their place. Then everything written since goes to a file that nobody can open any more, or that opens under another name.
 *
 * Removing, moving and replacing a file all change its directory. So while the directory is unchanged, one `stat` says that both files
 * are in place. Where it was changed lately, both files are looked at.
 */
export class FileInPlace {
  readonly #file: string
  readonly #identity: string
  /** Undefined for a link: the file is in another directory. */
  readonly #directory: string | undefined
  #logIdentity: string | undefined
  #unchanged: Stats | undefined
  #lookAgainAt = 0

  constructor(file: string, identity: string) {
    this.#file = file
    this.#identity = identity
    const isLink = lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() !== false
    this.#directory = isLink ? undefined : dirname(file)
  }

  check(): boolean {
    const now = Date.now()
    let found: Stats | undefined
    if (this.#directory !== undefined && (this.#unchanged !== undefined || now >= this.#lookAgainAt)) {
      found = statSync(this.#directory, { throwIfNoEntry: false })
      if (found !== undefined && this.#unchanged !== undefined && isSame(found, this.#unchanged)) return true
      if (found !== undefined && Math.max(found.mtimeMs, found.ctimeMs) > now - STAMP_MS) found = undefined
      this.#lookAgainAt = now + STAMP_MS
    }
    this.#unchanged = undefined
    if (identityOf(this.#file) !== this.#identity) return false
    const log = identityOf(`${this.#file}-wal`)
    this.#logIdentity ??= log
    if (log !== this.#logIdentity) return false
    // Read before the files: a change since then is seen next time. Without a log there is nothing to compare with yet.
    this.#unchanged = log === undefined ? undefined : found
    return true
  }
}

/** As numbers: written as text, the times would cost more than reading them. */
function isSame(a: Stats, b: Stats): boolean {
  return a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs && a.ino === b.ino && a.dev === b.dev
}
