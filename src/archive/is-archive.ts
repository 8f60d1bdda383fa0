import { open, stat } from 'node:fs/promises'
import { ARCHIVE_FORMAT } from './records.ts'

/** More than the beginning of a manifest has. */
const BEGINNING_BYTES = 200

/** Whether a path is a file that begins like an archive of ours. Whether it is whole is another question. */
export async function isArchive(path: string): Promise<boolean> {
  // Reading from a pipe could wait forever.
  if ((await stat(path).catch(() => undefined))?.isFile() !== true) return false
  const handle = await open(path).catch(() => undefined)
  if (handle === undefined) return false
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(BEGINNING_BYTES), 0, BEGINNING_BYTES, 0)
    return buffer.toString('utf8', 0, bytesRead).includes(`"format":${JSON.stringify(ARCHIVE_FORMAT)}`)
  } catch {
    return false // a folder
  } finally {
    await handle.close()
  }
}
