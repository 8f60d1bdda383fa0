// Imports an archive, or backs a memory up, once; under the shim. A line in <file>.mark says that it was acknowledged.
import { createReadStream, openSync, writeSync } from 'node:fs'

import { MemoryError } from '../../../src/domain/error.ts'
import { openMemory } from '../../../src/memory/open-memory.ts'
import { tell, waitForGo } from '../harness/parent.ts'

const [file = '', other = '', what = 'import'] = process.argv.slice(2)
waitForGo()
const marks = openSync(`${file}.mark`, 'a')
try {
  const memory = await openMemory(file, { learn: false })
  const done = what === 'import' ? await memory.import(createReadStream(other)) : await memory.backup(other)
  writeSync(marks, `${JSON.stringify({ kind: what })}\n`)
  tell({ messages: done.messages })
  await memory.close().catch(() => undefined)
} catch (error) {
  tell(MemoryError.is(error) ? { code: error.code } : { raw: String(error) })
}
process.exit(0)
