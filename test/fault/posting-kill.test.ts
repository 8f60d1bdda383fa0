import { beforeAll, expect, it } from 'vitest'
import { openMemory } from '../../src/memory/open-memory.ts'
import { times } from '../tier.ts'
import { Child, warm } from './harness/child.ts'
import { Folder } from './harness/folder.ts'
import { seeded } from './harness/seeded.ts'

const POSTER = new URL('children/poster.ts', import.meta.url)
const WORDS = 8_000

type Line = { readonly postings: number } | { readonly done: true }

beforeAll(() => warm(POSTER))

/** Of letters only: each is one word of the index. */
function wordOf(nth: number): string {
  return `q${String(nth).replaceAll(/\d/g, (digit) => 'bcdfghjklm'[Number(digit)] ?? '')}x`
}

it('[walls-240] kill -9 in the middle of a long message loses and doubles no word of it', async () => {
  const random = seeded()
  for (let round = 0; round < times({ daily: 1, nightly: 40 }); round++) {
    using folder = new Folder()
    const file = folder.file('log.db')
    const content = Array.from({ length: WORDS }, (_, nth) => wordOf(nth)).join(' ')
    {
      await using memory = await openMemory(file, { learn: false })
      await memory
        .scope('a')
        .session('s')
        .append([
          { role: 'user', content },
          { role: 'user', content: 'after' },
        ])
    }
    let [written, isDone, lives] = [0, false, 0]
    while (!isDone) {
      const child = new Child(POSTER, [file])
      lives += 1
      const killed = Promise.withResolvers<void>()
      let left = lives > 2 ? Number.POSITIVE_INFINITY : 1 + Math.floor(random.next() * 2)
      child.onLine((line) => {
        if ('done' in (line as Line)) isDone = true
        else written += (line as { readonly postings: number }).postings
        left -= 1
        if (left === 0 || isDone) killed.resolve()
      })
      await child.go()
      await killed.promise
      await child.kill()
      expect(child.errors).toBe('')
    }
    expect(lives).toBeGreaterThan(1)
    // What was indexed is not indexed again.
    expect(written).toBeLessThanOrEqual(WORDS + 1)
    await using memory = await openMemory(file, { learn: false })
    expect(await memory.verify()).toMatchObject({ ok: true })
    const { items } = await memory.scope('a').recall(wordOf(WORDS - 1))
    expect(items[0]).toMatchObject({ source: { seq: 1 } })
  }
}, 240_000)
