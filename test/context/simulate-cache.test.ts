import { describe, expect, it } from 'vitest'
import type { Policy } from '../../src/api/policy.ts'
import type { NewMessage } from '../../src/domain/new-message.ts'
import type { Memory } from '../../src/api/memory.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import type { Session } from '../../src/api/session.ts'
import { simulateCache } from '../../src/memory/simulate-cache.ts'

const PRICES = { input: 3, cached: 0.3 }

async function opened(messages: readonly NewMessage[]): Promise<{ memory: Memory; session: Session }> {
  const memory = await openMemory(':memory:')
  const session = memory.scope('a').session('s', { description: 'You are terse.' })
  await session.append(messages)
  return { memory, session }
}

/** Rounds of request, tool call, result and answer. */
function rounds(count: number, result = 'a line of the log '.repeat(20)): readonly NewMessage[] {
  return Array.from({ length: count }, (_, index): readonly NewMessage[] => [
    { role: 'user', content: `Where is order ORD-${1_000 + index}?` },
    { role: 'assistant', content: 'Looking.', toolCalls: [{ id: `c${index}`, name: 'read', arguments: { index } }] },
    { role: 'tool', toolCallId: `c${index}`, name: 'read', content: `${index} ${result}` },
    { role: 'assistant', content: `Order ORD-${1_000 + index} waits for the carrier.` },
  ]).flat()
}

describe('[cache-3] simulateCache', () => {
  it('reports what the same calls of context() say, turn by turn', async () => {
    const messages = rounds(20)
    const { memory, session } = await opened(messages)
    const [simulated] = await simulateCache(session, ['balanced'], PRICES, { budget: 2_000 })

    const by = memory.scope('a').session('by-hand', { description: 'You are terse.' })
    const expected = { calls: 0, inputTokens: 0, cachedTokens: 0 }
    for (const message of messages) {
      if (message.role === 'assistant') {
        const { cache } = await by.context({ budget: 2_000 })
        expected.calls += 1
        expected.inputTokens += cache.totalTokens
        expected.cachedTokens += cache.equalTokens
      }
      await by.append(message)
    }
    // Ids of folds are of each session's own, and are counted like any other word: a few tokens may differ.
    expect(simulated).toMatchObject({ policy: 'balanced', calls: expected.calls })
    expect(simulated?.inputTokens).toBeGreaterThan(expected.inputTokens * 0.99)
    expect(simulated?.inputTokens).toBeLessThan(expected.inputTokens * 1.01)
    expect(simulated?.cachedTokens).toBeGreaterThan(expected.cachedTokens * 0.99)
    expect(simulated?.cachedTokens).toBeLessThan(expected.cachedTokens * 1.01)
    expect(simulated?.compactions).toBeGreaterThan(0)
    await memory.close()
  })

  it('prices a growing conversation: everything but the newest is cached', async () => {
    const { memory, session } = await opened([
      { role: 'user', content: 'one' },
      { role: 'assistant', content: 'two' },
      { role: 'user', content: 'three' },
      { role: 'assistant', content: 'four' },
    ])
    const tokens = (await session.history()).map((message) => message.tokens)
    const [system = 0, one = 0, two = 0, three = 0] = tokens
    const input = system + one + (system + one + two + three)
    const cached = system + one
    const prices = { input: 2, cached: 1, cacheWrite: 4 }
    expect(await simulateCache(session, ['recency'], prices)).toEqual([
      {
        policy: 'recency',
        calls: 2,
        inputTokens: input,
        cachedTokens: cached,
        cachedShare: cached / input,
        compactions: 0,
        cost: ((input - cached) * 4 + cached) / 1_000_000,
      },
    ])
    const [plain] = await simulateCache(session, ['recency'], { input: 2, cached: 1 })
    expect(plain?.cost).toBe(((input - cached) * 2 + cached) / 1_000_000)
    await memory.close()
  })

  it('compares policies in the order given; a window that slides with every message loses its cache', async () => {
    const { memory, session } = await opened(rounds(30))
    const sliding: Policy = {
      name: 'sliding window',
      high: { entries: 8 },
      low: { entries: 8 },
      steps: [{ stage: 'drop', keepLast: 8 }],
      advance: 'until-low',
    }
    const [balanced, slid] = await simulateCache(session, ['balanced', sliding], PRICES)
    expect([balanced?.policy, slid?.policy]).toEqual(['balanced', 'sliding window'])
    expect(balanced?.calls).toBe(60)
    expect(slid?.calls).toBe(60)
    expect(balanced?.compactions).toBe(0)
    expect(slid?.compactions).toBeGreaterThan(20)
    expect(balanced?.cachedShare).toBeGreaterThan(0.9)
    expect(slid?.cachedShare).toBeLessThan(0.5)
    await memory.close()
  })

  it('leaves the session as it is, and takes from it what contexts of its own remember', async () => {
    const { memory, session } = await opened(rounds(20))
    await session.context({ budget: 4_000, policy: 'recency' })
    const before = { history: await session.history(), stats: await session.stats(), window: await session.window() }
    await simulateCache(session, ['balanced', 'rolling', 'recency'], PRICES, { budget: 1_500 })
    expect({ history: await session.history(), stats: await session.stats(), window: await session.window() }).toEqual(
      before,
    )
    expect((await session.context({ budget: 4_000, policy: 'recency' })).cache.firstDifference).toBeNull()
    await memory.close()
  })

  it('replays images and results with bytes, and neither what was removed nor what is missing', async () => {
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    )
    const image = { type: 'image', source: { type: 'bytes', bytes: new Uint8Array(png) } } as const
    const { memory, session } = await opened([
      { role: 'user', content: [{ type: 'text', text: 'Look.' }, image] },
      { role: 'assistant', content: '', toolCalls: [{ id: 'c', name: 'show', arguments: {} }] },
      {
        role: 'tool',
        parts: [
          { type: 'tool-result', callId: 'c', output: { type: 'parts', parts: [image, { type: 'text', text: 'it' }] } },
        ],
      },
      { role: 'assistant', content: 'Seen.' },
      { role: 'user', content: 'forget this' },
      { role: 'assistant', content: 'Forgotten.' },
    ])
    const history = await session.history()
    const [system = 0, look = 0, call = 0, result = 0] = history.map((message) => message.tokens)
    for (const { id } of history.slice(-2)) await session.remove(id)
    const [simulated] = await simulateCache(session, ['recency'], PRICES)
    const first = system + look
    expect(simulated).toMatchObject({ calls: 2, inputTokens: first + first + call + result, cachedTokens: first })
    await memory.close()
  })

  it('counts as the session was counted', async () => {
    const memory = await openMemory(':memory:', { tokenizer: 'o200k_base' })
    const session = memory.scope('a').session('s')
    await session.append([
      { role: 'user', content: 'Donaudampfschifffahrtsgesellschaft '.repeat(20) },
      { role: 'assistant', content: 'ja' },
    ])
    const [message] = await session.history()
    const [simulated] = await simulateCache(session, ['recency'], PRICES)
    expect(simulated?.inputTokens).toBe(message?.tokens)
    await memory.close()
  })

  it('of a session that nobody answered, or that does not exist, there is nothing to pay', async () => {
    const { memory, session } = await opened([{ role: 'user', content: 'hello?' }])
    const nothing = {
      policy: 'balanced',
      calls: 0,
      inputTokens: 0,
      cachedTokens: 0,
      cachedShare: 0,
      compactions: 0,
      cost: 0,
    }
    expect(await simulateCache(session, ['balanced'], PRICES)).toEqual([nothing])
    expect(await simulateCache(memory.scope('a').session('none'), ['balanced'], PRICES)).toEqual([nothing])
    expect(await simulateCache(session, [], PRICES)).toEqual([])
    await memory.close()
  })

  it('refuses what it cannot price or replay', async () => {
    const { memory, session } = await opened(rounds(1))
    const invalid = { code: 'input/invalid' }
    await expect(simulateCache(session, ['nothing' as never], PRICES)).rejects.toMatchObject(invalid)
    await expect(simulateCache(session, 'balanced' as never, PRICES)).rejects.toMatchObject(invalid)
    await expect(simulateCache(session, ['balanced'], { input: 3 } as never)).rejects.toMatchObject(invalid)
    await expect(simulateCache(session, ['balanced'], { input: -1, cached: 0 })).rejects.toMatchObject(invalid)
    await expect(simulateCache(session, ['balanced'], { ...PRICES, write: 1 } as never)).rejects.toMatchObject(invalid)
    await expect(simulateCache(session, ['balanced'], PRICES, { budget: 0 })).rejects.toMatchObject(invalid)
    await expect(simulateCache(session, ['balanced'], PRICES, { budgets: 9 } as never)).rejects.toMatchObject(invalid)
    await expect(simulateCache(session, ['balanced'], PRICES, { budget: 5 })).rejects.toMatchObject({
      code: 'context/over-budget',
    })
    await memory.close()
  })
})
