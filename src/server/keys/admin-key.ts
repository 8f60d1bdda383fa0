import { readFile, writeFile } from 'node:fs/promises'
import { MemoryError } from '../../domain/error.ts'
import { quote } from '../../domain/refuse.ts'
import type { Memory } from '../../memory/memory.ts'

/**
 * The key of whoever runs the server. The first start makes it and writes it to a file that only they can read; later starts
 * read it there. `undefined` where there are keys and no file: then it is kept elsewhere.
 */
export async function adminKey(
  memory: Memory,
  file: string,
): Promise<{ readonly token: string; readonly made: boolean } | undefined> {
  const kept = await readFile(file, 'utf8').catch(() => undefined)
  if (kept !== undefined) return { token: kept.trim(), made: false }
  if ((await memory.keys.list()).length > 0) return undefined
  const { token, id } = await memory.keys.create({
    scope: null,
    can: ['read', 'write', 'propose', 'admin'],
    name: 'first start',
  })
  try {
    await writeFile(file, `${token}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    await memory.keys.revoke(id)
    throw new MemoryError(
      'store/cannot-open',
      `Cannot keep the first key: ${quote(file)} cannot be written`,
      { file },
      error,
    )
  }
  return { token, made: true }
}
