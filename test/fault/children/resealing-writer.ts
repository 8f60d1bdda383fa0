// Says things in encrypted sessions and has messages forgotten, under the shim. Each acknowledgement is a line in <file>.mark.
import { copyFileSync, openSync, writeSync } from 'node:fs'

import { openMemory } from '../../../src/memory/open-memory.ts'
import { tell, waitForGo } from '../harness/parent.ts'

const [file = '', content = '', backup = ''] = process.argv.slice(2)
waitForGo()
const marks = openSync(`${file}.mark`, 'a')
const acknowledge = (line: object): void => void writeSync(marks, `${JSON.stringify(line)}\n`)

const memory = await openMemory(file, { learn: false, encryption: { content } })
const scope = memory.scope('acme/ada')
const chat = scope.session('chat', { description: 'the topic' })
for (let number = 0; number < 8; number++)
  await chat.append({
    role: 'user',
    id: `m${number}`,
    content: [
      { type: 'text', text: `words of m${number}` },
      { type: 'file', source: Buffer.from(`%PDF-1.4 the same in all`), mediaType: 'application/pdf' },
    ],
  })
await chat.revise('m7', { content: 'other words of m7' })
await scope.session('other').append({ role: 'user', content: 'words of other' })
await memory.settled()
await memory.backup(`${file}.first`)
copyFileSync(`${file}.first`, backup)
acknowledge({ kind: 'said' })
for (let number = 0; number < 4; number++) {
  await scope.forget({ message: `m${number}` })
  acknowledge({ kind: 'forgot', number })
}
tell({ done: true })
process.exit(0)
