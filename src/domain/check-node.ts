import { MemoryError } from './error.ts'

/** The first version with Node-API 10. On an older one the SQLite driver ends the process with a segmentation fault. */
const WANTED = { major: 22, minor: 14 }

/**
 * Refuses a Node that is too old, before anything native is loaded.
 *
 * @throws {MemoryError} `store/unsupported` with the version found and the one wanted.
 */
export function checkNode(found: string): void {
  const [major = 0, minor = 0] = found.split('.').map(Number)
  if (major > WANTED.major || (major === WANTED.major && minor >= WANTED.minor)) return
  const wanted = `${WANTED.major}.${WANTED.minor}`
  throw new MemoryError('store/unsupported', `Cannot run on Node ${found}: expected Node ${wanted} or later`, {
    found,
    wanted,
  })
}
