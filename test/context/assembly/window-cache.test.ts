import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openMemory } from '../../../src/memory/open-memory.ts'
import { openMemoryWith } from '../../../src/memory/open-memory-with.ts'
import type { Session } from '../../../src/api/session.ts'
import { openSqliteStore } from '../../../src/stores/sqlite/store.ts'

const BUDGET = 1_500

type Step = (chat: Session, number: number) => Promise<unknown>

const steps: Readonly<Record<string, Step>> = {
  append: (chat, number) => chat.append({ role: 'user', content: `Message ${number}: ${'and so on, '.repeat(20)}` }),
  call: (chat, number) =>
    chat.append([
      { role: 'assistant', parts: [{ type: 'tool-call', id: `c${number}`, name: 'look', arguments: { number } }] },
      { role: 'tool', parts: [{ type: 'tool-result', callId: `c${number}`, name: 'look', output: `found ${number}` }] },
    ]),
  revise: async (chat, number) => {
    const message = await anyOf(chat, number)
    if (message !== undefined && message.role !== 'tool')
      await chat.revise(message.id, { content: `Revised ${number}` })
  },
  remove: async (chat, number) => {
    const message = await anyOf(chat, number)
    if (message !== undefined) await chat.remove(message.id)
  },
  clear: (chat) => chat.clear(),
  compact: (chat) => chat.compact({ force: true }),
  undo: (chat) => chat.undo().catch(() => undefined),
}

async function anyOf(chat: Session, number: number): ReturnType<Session['get']> {
  const live = (await chat.history()).filter((message) => message.removed !== true)
  const message = live[number % Math.max(1, live.length)]
  return message === undefined ? undefined : chat.get(message.id)
}

describe('a context built on the one before', () => {
  it('[ctx-8] is the same as one that reads everything', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom(...Object.keys(steps), 'append', 'append', 'call'), fc.nat(1_000)), {
          minLength: 4,
          maxLength: 25,
        }),
        async (script) => {
          const store = await openSqliteStore(':memory:', () => 0)
          const chat = (await openMemoryWith(store)).scope('a').session('s', { description: 'Be brief.' })
          await chat.append({ role: 'user', content: 'Hello' })
          for (const [name, number] of script) {
            await steps[name]?.(chat, number)
            const warm = await chat.context({ budget: BUDGET })
            const cold = await (await openMemoryWith(store)).scope('a').session('s').context({ budget: BUDGET })
            expect(warm.messages).toEqual(cold.messages)
            expect(warm.receipt).toEqual(cold.receipt)
          }
          await store.close()
        },
      ),
      { numRuns: 40 },
    )
  })

  it('[ctx-8] does not show what a caller did to the messages it got', async () => {
    const chat = (await openMemory(':memory:')).scope('a').session('s')
    await chat.append({ role: 'user', content: 'Hello', metadata: { deep: { list: [1] } } })
    await chat.compact({ force: true })
    const spoil = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return
      for (const [key, item] of Object.entries(value)) {
        spoil(item)
        if (typeof item === 'string') Object.assign(value, { [key]: 'spoilt' })
      }
      Object.assign(value, { spoilt: true })
    }
    const first = await chat.context({ budget: BUDGET })
    const before = JSON.stringify([first.messages, first.as('anthropic'), first.receipt])
    spoil(first.as('anthropic'))
    spoil(first.messages)
    spoil(first.receipt)
    const second = await chat.context({ budget: BUDGET })
    expect(JSON.stringify([second.messages, second.as('anthropic'), second.receipt])).toBe(before)
  })

  it('[ctx-8] sees at once what another process wrote', async () => {
    const store = await openSqliteStore(':memory:', () => 0)
    const [one, other] = [await openMemoryWith(store), await openMemoryWith(store)].map((memory) =>
      memory.scope('a').session('s'),
    ) as [Session, Session]
    const [message] = await one.append({ role: 'user', content: 'Hello' })
    await one.context({ budget: BUDGET })
    await other.revise(message.id, { content: 'Good day' })
    expect(JSON.stringify((await one.context({ budget: BUDGET })).messages)).toContain('Good day')
  })
})
