// Appends in bursts with pauses in between, until it is killed; or a number of bursts, and then ends.
import { setTimeout } from 'node:timers/promises'

import { openMemory } from '../../../src/memory/open-memory.ts'
import { tell, waitForGo } from '../harness/parent.ts'
import { Random } from '../harness/random.ts'

const [file = ''] = process.argv.slice(2)
const { seed, bursts } = waitForGo() as { readonly seed: number; readonly bursts: number | null }

const random = new Random(seed)
const memory = await openMemory(file)
const session = memory.scope('acme/ada').session('watched')
for (let burst = 0; bursts === null || burst < bursts; burst++) {
  const appends = Array.from({ length: 1 + random.below(20) }, (_, index) =>
    session.append({ role: 'user', content: `${process.pid} ${burst} ${index}` }),
  )
  for (const [stored] of await Promise.all(appends)) tell({ seq: stored?.seq })
  await setTimeout(random.below(40))
}
await memory.close()
