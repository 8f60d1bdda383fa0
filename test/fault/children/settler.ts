import { setTimeout as sleep } from 'node:timers/promises'
import { openMemory } from '../../../src/memory/open-memory.ts'

const [file = ':memory:'] = process.argv.slice(2)
const memory = await openMemory(file, { learn: false })
for (let round = 0; round < 8; round++) {
  const content = (n: number): string =>
    `Message ${round}-${n}: ${'the order is late and the depot is closed '.repeat(8)}`
  const chat = memory.scope('acme').session(`s${round}`)
  await chat.append(Array.from({ length: 1_000 }, (_, n) => ({ role: 'user' as const, content: content(n) })))
  // Long enough for indexing to begin by itself, and to rest in between.
  await sleep(260 + round * 10)
  await memory.settled()
}
await memory.close()
process.stdout.write('settled\n')
