// Backs up when the process has no file descriptor left. Prints the code of what it gets.
import { openSync } from 'node:fs'
import { MemoryError } from '../../../src/domain/error.ts'
import { openMemory } from '../../../src/memory/open-memory.ts'

const [file = '', copy = ''] = process.argv.slice(2)
const memory = await openMemory(file, { learn: false })
await memory.scope('acme').session('s').append({ role: 'user', content: 'hello' })
await memory.backup(`${copy}.first`) // loads what a backup needs
for (;;) {
  try {
    openSync('/dev/null', 'r')
  } catch {
    break
  }
}
const code = await memory.backup(copy).then(
  () => 'done',
  (error: unknown) => (MemoryError.is(error) ? error.code : String(error)),
)
process.stdout.write(`${code}\n`)
process.exit(0)
