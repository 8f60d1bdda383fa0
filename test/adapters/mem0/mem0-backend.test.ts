import { describe, expect, it } from 'vitest'
import { type Mem0Client, mem0Backend } from '../../../src/adapters/mem0/index.ts'
import { longTermMemory, openMemory } from '../../../src/index.ts'

/** A client that records what it is asked, and finds one memory. */
function recorder(answer: unknown = { results: [{ id: 'm1' }] }): { client: Mem0Client; calls: unknown[] } {
  const calls: unknown[] = []
  const client: Mem0Client = {
    add: async (...given) => {
      calls.push(['add', ...given])
      return answer
    },
    search: async (...given) => {
      calls.push(['search', ...given])
      return { results: [{ id: 'm7', memory: 'User is allergic to peanuts', createdAt: '2026-03-01T10:00:00Z' }] }
    },
    delete: async (...given) => {
      calls.push(['delete', ...given])
    },
  }
  return { client, calls }
}

describe('[hosts-61] Mem0 as the back end of `longTermMemory`', () => {
  it('recalls from Mem0, and keeps conversations here', async () => {
    const { client, calls } = recorder()
    await using memory = await openMemory(':memory:')
    const scope = memory.scope('acme/ada')
    const longTerm = longTermMemory(mem0Backend(client, { userId: 'ada', scope }), { session: 'chat' })
    const asked = [{ id: 'a', role: 'user' as const, content: 'What am I allergic to?' }]
    expect((await longTerm.augment(asked)).at(-1)?.content).toContain('User is allergic to peanuts')
    await longTerm.record([...asked, { id: 'b', role: 'assistant', content: 'To peanuts.' }])
    expect(await scope.session('chat').count()).toBe(2)
    expect(calls).toEqual([
      ['search', 'What am I allergic to?', { filters: { user_id: 'ada' }, topK: 10 }],
      [
        'add',
        [
          { role: 'user', content: 'What am I allergic to?' },
          { role: 'assistant', content: 'To peanuts.' },
        ],
        { userId: 'ada' },
      ],
    ])
  })

  it('remembers and forgets through the tools of the agent', async () => {
    const { client, calls } = recorder()
    await using memory = await openMemory(':memory:')
    const backend = mem0Backend(client, { userId: 'ada', scope: memory.scope('acme/ada') })
    expect(await backend.remember([{ text: 'Ada likes tea' }], { channel: 'agent' })).toEqual([
      { id: 'm1', text: 'Ada likes tea' },
    ])
    await backend.forget({ fact: 'm1' })
    expect(calls.at(-1)).toEqual(['delete', 'm1'])
    await backend.retract('m2', undefined, { channel: 'agent' })
    expect(calls.at(-1)).toEqual(['delete', 'm2'])
    await expect(backend.forget({ subject: 'Ada' })).rejects.toMatchObject({ code: 'input/invalid' })
  })

  it('does not believe a write that got no id', async () => {
    await using memory = await openMemory(':memory:')
    for (const answer of [{ results: [] }, { results: [{ event: 'ADD' }] }, [], null]) {
      const backend = mem0Backend(recorder(answer).client, { userId: 'ada', scope: memory.scope('acme/ada') })
      await expect(backend.remember([{ text: 'x' }], { channel: 'agent' })).rejects.toMatchObject({
        code: 'server/failed',
      })
    }
  })

  it('keeps the messages here if Mem0 fails, and says so', async () => {
    const { client } = recorder()
    await using memory = await openMemory(':memory:')
    const scope = memory.scope('acme/ada')
    const failing: Mem0Client = { ...client, add: () => Promise.reject(new Error('503')) }
    const session = mem0Backend(failing, { userId: 'ada', scope }).session('chat')
    await expect(session.append([{ role: 'user', content: 'Hello' }])).rejects.toThrow('503')
    expect(await scope.session('chat').count()).toBe(1)
  })
})
