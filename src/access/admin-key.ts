import { readFile, rename, writeFile } from 'node:fs/promises'
import { MemoryError } from '../domain/error.ts'
import { quote } from '../domain/refuse.ts'
import { idOfToken } from './stored-key.ts'
import type { Memory } from '../api/memory.ts'

/**
 * The key of whoever runs the server. The first start makes it and writes it to a file that only they can read; later starts
 * read it there. `undefined` where there are keys and none of them is in the file: then it is kept elsewhere.
 */
export async function adminKey(
  memory: Memory,
  file: string,
): Promise<{ readonly token: string; readonly made: boolean } | undefined> {
  const kept = await readKept(file)
  const keys = await memory.keys.list()
  const id = kept === undefined ? undefined : idOfToken(kept)
  if (kept !== undefined && keys.some((key) => key.id === id && key.revokedAt === null))
    return { token: kept, made: false }
  if (keys.length > 0) return undefined
  const made = await memory.keys.create({
    scope: null,
    can: ['read', 'write', 'propose', 'instruct', 'admin'],
    name: 'first start',
  })
  try {
    // A key of another memory that had this name: of no use here, and perhaps the only copy. It is put aside.
    if (kept !== undefined) await rename(file, `${file}.old`)
    await writeFile(file, `${made.token}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    await memory.keys.revoke(made.id)
    throw cannot('keep the first key', file, error)
  }
  return { token: made.token, made: true }
}

/** A file that is there and cannot be read is not the same as none. */
async function readKept(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, 'utf8')).trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw cannot('read the key', file, error)
  }
}

function cannot(what: string, file: string, error: unknown): MemoryError {
  return new MemoryError(
    'store/cannot-open',
    `Cannot ${what}: no permission for ${quote(file)}. Make it readable and writable for this user`,
    { file },
    error,
  )
}
