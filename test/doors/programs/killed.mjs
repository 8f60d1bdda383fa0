// Makes numbered calls of an adapter and prints each that has returned: `node killed.mjs agent.db 7`. It is killed and started again,
// with the call that had not returned. In the end, `node killed.mjs agent.db check` compares what is stored with what should be.
import { deepStrictEqual } from 'node:assert/strict'
import { writeSync } from 'node:fs'
import { openMemory } from 'daybook'
import { expected, open } from './calls.mjs'

const [, , file, from, calls] = process.argv
const memory = await openMemory(file, { learn: false })
const { call, read } = await open(memory)
const plain = (value) => JSON.parse(JSON.stringify(value))
if (from === 'check') deepStrictEqual(plain(await read()), plain(await expected(Number(calls))))
else
  for (let number = Number(from); number < Number(calls); number++) {
    await call(number)
    writeSync(1, `${number}\n`)
  }
await memory.close()
