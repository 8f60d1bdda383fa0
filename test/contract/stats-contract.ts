import { describe, expect, it } from 'vitest'
import type { OpenSubject } from './subject.ts'

/** What a memory says of itself. */
export function testStats(open: OpenSubject): void {
  describe('stats', () => {
    it('[pg-7] say how much there is in all scopes, and what keeps it', async () => {
      await using memory = await open({ learn: false })
      expect(await memory.stats()).toMatchObject({ sessions: 0, messages: 0, facts: 0 })
      const chat = memory.scope('acme/ada').session('chat')
      await chat.append([
        { role: 'user', content: 'My order is late.' },
        { role: 'assistant', content: 'I am sorry.' },
      ])
      await (await chat.fork('again')).append({ role: 'user', content: 'It came.' })
      await memory.scope('other').session('chat').append({ role: 'user', content: 'Hello.' })
      const order = { subject: 'Ada', predicate: 'waits for', object: 'an order' }
      const [fact] = await memory.scope('acme/ada').remember([order, { ...order, predicate: 'likes', object: 'tea' }])
      await memory.scope('acme/ada').forget({ fact: fact?.id ?? '' })

      const stats = await memory.stats()
      expect(stats).toMatchObject({ sessions: 3, messages: 4, facts: 1 })
      expect(stats.store).toMatch(/^(sqlite|postgres) \d+\.\d/)
      expect(stats.vectorSearch).toMatch(/^(process|pgvector \d+\.\d.*)$/)
      expect(stats.schemaVersion).toBe((await memory.schema()).version)
      expect(stats.bytes).toBeGreaterThan(4_096)
    })
  })
}
