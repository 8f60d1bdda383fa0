// Streams a reply of numbered words until it is killed, and prints how much of it is in the log.
import process from 'node:process'
import { textOf } from '../../../src/domain/text-of.ts'
import { openMemory } from '../../../src/memory/open-memory.ts'

const [, , file = '', name = ''] = process.argv
const memory = await openMemory(file)
const session = memory.scope('acme/ada').session(name)
await session.append({ role: 'user', content: 'Count.' })
const reply = session.stream({ role: 'assistant' })
for (let word = 0; ; word++) {
  reply.write(`${word} `)
  await new Promise((resolve) => setTimeout(resolve, 1))
  if (word % 20 > 0) continue
  const message = await session.get(reply.id)
  process.stdout.write(`${message === undefined ? 0 : textOf(message).length}\n`)
}
