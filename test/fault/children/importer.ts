// Imports the beginning of an archive and waits for the rest until it is killed; or backs up until it is killed.
import { createReadStream } from 'node:fs'

import { openMemory } from '../../../src/memory/open-memory.ts'
import { tell, waitForGo } from '../harness/parent.ts'

const [file = '', other = '', what = 'import'] = process.argv.slice(2)
const { bytes } = waitForGo() as { readonly bytes: number }
const memory = await openMemory(file, { learn: false })
tell({ begun: true })
// Something must keep the process alive that nothing happens in.
setInterval(() => undefined, 60_000)

async function* beginning(): AsyncGenerator<Uint8Array> {
  yield* createReadStream(other, { highWaterMark: 4_096, end: bytes }) as AsyncIterable<Uint8Array>
  tell({ waiting: true })
  await new Promise(() => undefined)
}

if (what === 'import') await memory.import(beginning(), { onProgress: ({ records }) => tell({ records }) })
else
  for (let number = 0; ; number++) {
    const made = await memory.backup(`${other}-${number}`)
    tell({ backup: made.file, messages: made.messages })
  }
