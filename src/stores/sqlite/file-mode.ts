import { chmodSync, statSync } from 'node:fs'

const OTHERS = 0o077
const OWNER_ONLY = 0o600

/** The files of a memory: its own, and those that SQLite and encryption keep beside it. */
const SUFFIXES = ['', '-wal', '-shm', '.keys'] as const

/** Those files of a memory that others on this machine may read or write. Windows has no such modes. */
export function filesOpenToOthers(file: string): readonly string[] {
  return SUFFIXES.map((suffix) => `${file}${suffix}`).filter((name) => {
    const mode = statSync(name, { throwIfNoEntry: false })?.mode
    return mode !== undefined && (mode & OTHERS) !== 0
  })
}

/** Lets only their owner read and write them. */
export function closeToOthers(files: readonly string[]): void {
  for (const file of files) chmodSync(file, OWNER_ONLY)
}
