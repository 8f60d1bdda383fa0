// Opens a file, verifies it and reads its sessions: tells what it found, or which error of ours it got.
import { MemoryError } from '../../../src/domain/error.ts'
import { openMemory } from '../../../src/memory/open-memory.ts'
import { tell, waitForGo } from '../harness/parent.ts'

const [file = ''] = process.argv.slice(2)
waitForGo()

try {
  await using memory = await openMemory(file)
  const { ok, damage } = await memory.verify()
  tell({ ok, damage })
} catch (error) {
  if (!MemoryError.is(error)) throw error
  tell({ code: error.code, message: error.message })
}
