// Says things and has them forgotten, under the shim. Each acknowledgement is a line in <file>.mark.
import { openSync, writeSync } from 'node:fs'

import { openMemory } from '../../../src/memory/open-memory.ts'
import { tell, waitForGo } from '../harness/parent.ts'

const [file = ''] = process.argv.slice(2)
waitForGo()
const marks = openSync(`${file}.mark`, 'a')
const acknowledge = (line: object): void => void writeSync(marks, `${JSON.stringify(line)}\n`)

const canary = (number: number): string => `${'abcdefghi'[number]}canary${'qrstuvwxy'[number]}ville`

const memory = await openMemory(file)
const scope = memory.scope('acme/ada')
const chat = scope.session('chat')
for (let number = 0; number < 8; number++)
  await chat.append({ role: 'user', id: `m${number}`, content: `I live in ${canary(number)} and it is fine.` })
await scope.session('other').append({ role: 'user', content: `I live in ${canary(8)} too.` })
await memory.settled()
await scope.recall('where do I live?')
acknowledge({ kind: 'said' })
for (let number = 0; number < 4; number++) {
  await scope.forget({ message: `m${number}` })
  acknowledge({ kind: 'forgot', number })
}
await scope.forget({ session: 'other' })
acknowledge({ kind: 'forgot', number: 8 })
tell({ done: true })
process.exit(0)
