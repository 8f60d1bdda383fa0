import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Memory } from '../../src/api/memory.ts'
import { openMemory } from '../../src/memory/open-memory.ts'

let memory: Memory
let sessions = 0
beforeAll(async () => {
  memory = await openMemory(':memory:')
})
afterAll(() => memory.close())

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

describe('context({ system })', () => {
  it('[contexts-9] comes first, is counted, and is not stored', async () => {
    const chat = memory.scope('acme').session(`s${++sessions}`)
    await chat.append([
      { role: 'system', content: 'Stored instructions.' },
      { role: 'user', content: 'hi' },
    ])
    const without = await chat.context({ budget: 1_000 })
    const context = await chat.context({ budget: 1_000, system: 'You are kind.' })
    expect(context.messages.map(({ role }) => role)).toEqual(['system', 'system', 'user'])
    expect(context.messages[0]?.parts).toEqual([{ type: 'text', text: 'You are kind.' }])
    expect(context.tokens).toBeGreaterThan(without.tokens)
    expect(context.receipt.tokens.system).toBeGreaterThan(without.receipt.tokens.system)
    expect(context.as('anthropic')).toMatchObject({ system: expect.anything() as unknown })
    expect(await chat.history()).toHaveLength(2)
    const again = await chat.context({ budget: 1_000, system: 'You are kind.' })
    expect(again.cache.firstDifference).toBe(null)
  })

  it(
    '[contexts-9] leaves less room for the rest, and is refused with numbers when it does not fit',
    { timeout: 180_000 },
    async () => {
      const chat = memory.scope('acme').session(`s${++sessions}`)
      for (let turn = 0; turn < 30; turn++)
        await chat.append({ role: 'user', content: `said ${turn} ${'word '.repeat(30)}` })
      const system = 'Never touch the production database. '.repeat(60)
      const context = await chat.context({ budget: 1_500, system })
      expect(context.tokens).toBeLessThanOrEqual(1_500)
      expect(JSON.stringify(context.messages)).toContain('said 29')
      const { version } = await chat.stats()
      await expect(chat.context({ budget: 1_500, system: 'x '.repeat(5_000_000) })).rejects.toMatchObject({
        code: 'context/over-budget',
        details: { budget: 1_500, system: expect.any(Number) as number },
      })
      await expect(chat.context({ budget: 1_500, system: '' })).rejects.toMatchObject({ code: 'input/invalid' })
      expect((await chat.stats()).version).toBe(version)
    },
  )
})

describe('pictures in a context', () => {
  it('[contexts-10] cost what the model says, and are called exact only when they are', async () => {
    const chat = memory.scope('acme').session(`s${++sessions}`)
    const picture = { type: 'image', source: { type: 'base64', base64: PNG } } as const
    await chat.append({ role: 'user', parts: [{ type: 'text', text: 'see' }, picture] })
    const { tokens, receipt } = await chat.context({ budget: 10_000, model: 'gpt-4o' })
    expect(tokens).toBe(3 + 3 + 1 + 85 + 170)
    expect(receipt.tokens.exact).toBe(true)
    await chat.append({
      role: 'user',
      parts: [{ type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } }],
    })
    expect((await chat.context({ budget: 10_000, model: 'gpt-4o' })).receipt.tokens.exact).toBe(false)
  })

  it('[contexts-10] fold nothing that fits the model', async () => {
    const chat = memory.scope('acme').session(`s${++sessions}`)
    for (let turn = 0; turn < 25; turn++)
      await chat.append([
        {
          role: 'user',
          parts: [
            { type: 'text', text: `picture ${turn}` },
            { type: 'image', source: { type: 'url', url: `https://example.com/${turn}.png` } },
          ],
        },
        { role: 'assistant', content: 'nice' },
      ])
    const context = await chat.context({ budget: 128_000, model: 'gpt-4o' })
    expect(context.messages).toHaveLength(50)
    expect(await chat.compactions()).toEqual([])
  })
})
