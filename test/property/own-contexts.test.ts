import { join } from 'node:path'
import { it } from 'vitest'
import { openMemory } from '../../src/memory/open-memory.ts'
import { folder } from '../cli/harness.ts'
import { times } from '../tier.ts'
import { ownContexts, words } from './own-contexts.ts'

const place = folder()

// `test/fault/own-contexts.test.ts` has the rest of the 2,000 cases by day, also on PostgreSQL and through the client.
it(
  '[contexts-5] a context is what it would be without the smaller and the other calls in between',
  async () => {
    const file = join(place, 'own.db')
    await using memory = await openMemory(file, { tokenizer: words, learn: false })
    await using other = await openMemory(file, { tokenizer: words, learn: false })
    const compared = await ownContexts([memory, other], times({ daily: 200, nightly: 70_000 }))
    process.stdout.write(`own contexts: ${compared} compared\n`)
  },
  times({ daily: 12, nightly: 240 }) * 60_000,
)
