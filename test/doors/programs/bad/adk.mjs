import { deepStrictEqual } from 'node:assert/strict'
import { createEvent } from '@google/adk'
import { DaybookMemoryService, DaybookSessionService } from 'daybook/adk'

const key = { appName: 'shop', userId: 'ada', sessionId: 's' }
const event = (id, parts) => createEvent({ id, author: 'user', timestamp: 1, content: { role: 'user', parts } })

export function open(memory, below) {
  const service = new DaybookSessionService(memory, { below })
  const read = async () => (await service.getSession(key))?.events ?? []
  const append = async (...events) => {
    const session = await service.getOrCreateSession(key)
    for (const one of events) await service.appendEvent({ session, event: one })
  }
  const stored = async (one) => {
    await append(one)
    deepStrictEqual(JSON.stringify((await read())[0].content), JSON.stringify(one.content))
    return 'stored'
  }
  return {
    unpaired: () => stored(event('e', [{ functionResponse: { id: 'c', name: 'look', response: { r: 1 } } }])),
    unknown: () => stored(event('e', [{ neverSeen: { a: [1, null] } }])),
    large: () =>
      stored(event('e', [{ text: 'x'.repeat(20_000_000) }])).finally(async () => deepStrictEqual(await read(), [])),
    scope: async () => {
      deepStrictEqual(
        (await Promise.allSettled([(async () => new DaybookMemoryService(below))()]))[0].reason.code,
        'input/invalid',
      )
      return new DaybookSessionService(below)
    },
    async runs() {
      await service.getOrCreateSession(key)
      await Promise.all(['a', 'b', 'c', 'd'].map((id) => append(event(id, [{ text: id }]))))
      deepStrictEqual((await read()).map(({ id }) => id).toSorted(), ['a', 'b', 'c', 'd'])
      return 'both stored'
    },
    // A session object that was read before somebody else appended.
    async stale() {
      const old = await service.getOrCreateSession(key)
      await append(event('a', [{ text: 'a' }]))
      await service.appendEvent({ session: old, event: event('b', [{ text: 'b' }]) })
      deepStrictEqual(
        (await read()).map(({ id }) => id),
        ['a', 'b'],
      )
      return 'both stored'
    },
    async again() {
      const one = event('e', [{ text: 'Hi' }])
      await append(one, one)
      deepStrictEqual((await read()).length, 1)
      return 'stored once'
    },
    read,
  }
}
