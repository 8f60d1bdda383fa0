import { describe, expect, it, vi } from 'vitest'
import type { Memory } from '../../src/api/memory.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import { times } from '../tier.ts'
import { databaseOn, withClient } from './database.ts'
import { serverBinaries, startServer } from './server.ts'

const ROUNDS = times({ daily: 10, nightly: 1_000 })

describe.runIf(serverBinaries() !== undefined)("[walls-221] the server's log", () => {
  it('has no error in it, however often two processes write to the same sessions', async () => {
    const server = await startServer()
    try {
      await using database = await databaseOn(server.url)
      const { url, postgres } = database
      await using here = await openMemory(url, { learn: false, postgres })
      await using there = await openMemory(url, { learn: false, postgres })
      const before = server.errors.length
      const chat = (memory: Memory, name: string) => memory.scope('acme/ada').session(name)
      const blob = {
        type: 'image',
        source: { type: 'bytes', bytes: new Uint8Array([1, 2, 3]) },
        mediaType: 'image/png',
      } as const
      for (let round = 0; round < ROUNDS; round++) {
        const names = [`a${round % 5}`, `b${round % 3}`, `new-${round}`]
        const both = [here, there].flatMap((memory, side) =>
          (side === 0 ? names : names.toReversed()).map((name) =>
            chat(memory, name).append([
              { role: 'user', content: [{ type: 'text', text: `${side} ${round}` }, blob] },
              {
                role: 'assistant',
                toolCalls: [{ id: `call ${side} ${round} ${name}`, name: 'look', arguments: '{}' }],
              },
              { role: 'tool', toolCallId: `call ${side} ${round} ${name}`, content: 'seen' },
            ]),
          ),
        )
        const named = [here, there].map((memory) =>
          chat(memory, 'named').append(
            { id: `m${round}`, role: 'user', content: 'once' },
            { operationId: `op${round}` },
          ),
        )
        const facts = [here, there].map((memory, side) =>
          memory.scope('acme/ada').remember({ subject: 'Ada', predicate: 'lives in', object: `City ${side} ${round}` }),
        )
        await Promise.all([...both, ...named, ...facts])
        const late = [here, there].map((memory) =>
          chat(memory, 'a0')
            .append({ role: 'user', content: 'late' }, { after: 1 })
            .catch(() => undefined),
        )
        await Promise.all(late)
      }
      const { messages } = await here.stats()
      expect(messages).toBe(ROUNDS * (2 * 3 * 3 + 1))
      for (const memory of [here, there]) expect(await chat(memory, 'named').count()).toBe(ROUNDS)
      expect(await here.verify()).toMatchObject({ ok: true })
      // One on purpose: it shows that errors are found, and those before it would be read before it.
      await expect(withClient(server.url, (client) => client.query('SELECT 1 / 0'))).rejects.toThrow('division by zero')
      await vi.waitFor(() => expect(server.errors.length).toBeGreaterThan(before), { timeout: 20_000 })
      expect(server.errors.slice(before)).toEqual([expect.stringContaining('division by zero')])
    } finally {
      await server.stop()
    }
  })
})
