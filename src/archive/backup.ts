import type { Backup } from '../api/archive.ts'
import { resolve } from 'node:path'
import { MemoryError } from '../domain/error.ts'
import { verify } from '../log/verify.ts'
import { checkCall } from '../surface/check-call.ts'
import { memoryOperations } from '../surface/memory.ts'
import type { Store } from '../ports/store.ts'
import type { ArchiveWiring } from './wiring.ts'

export async function backUp(parts: ArchiveWiring, file: string): Promise<Backup> {
  checkCall(memoryOperations.backup, file)
  parts.work.checkOpen()
  return parts.work.begin(checkedCopy(parts.store, resolve(file)))
}

async function checkedCopy(store: Store, file: string): Promise<Backup> {
  let held = { sessions: 0, messages: 0 }
  const { bytes } = await store.backup(file, async (copy) => {
    held = await checkStore(`back up to ${JSON.stringify(file)}`, copy)
  })
  return { file, bytes, ...held }
}

/** Reads everything; a copy that is not what was written is none. */
export async function checkStore(attempt: string, store: Store): Promise<{ sessions: number; messages: number }> {
  const file = await store.check()
  const { sessions, messages, damage } = await verify(store.log)
  if (file.length === 0 && damage.length === 0) return { sessions, messages }
  const [first = ''] = [...file, ...damage.map(({ message }) => message)]
  throw new MemoryError(
    'store/corrupt',
    `Cannot ${attempt}: ${file.length + damage.length} places have changed since they were written, the first: ${first}; run verify()`,
    { file, damage: damage.slice(0, 10) },
  )
}
