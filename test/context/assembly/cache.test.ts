import { describe, expect, it } from 'vitest'
import { assistant, call, chatWith, memoryOf, results, system, text, told, user } from './chat.ts'

describe('[cache-1] order is by stability', () => {
  it('system, pinned, folds, messages', async () => {
    const chat = await chatWith(
      user(`old ${text(60)}`),
      assistant(text(60)),
      system('be kind'),
      user('keep', { tags: ['pinned'] }),
      assistant('yes'),
      user('now'),
    )
    const steps = [{ stage: 'summarise', unit: 'range', keepRounds: 1, tokensMax: 60 }] as const
    await chat.compact({ policy: { name: 'tell', high: {}, low: {}, steps, advance: 'until-low' }, force: true })
    const lines = told((await chat.context({ budget: 1_000, policy: 'recency' })).messages)
    expect(lines.slice(0, 2)).toEqual(['system: be kind', 'user: keep'])
    expect(lines[2]).toContain('[summary of 2 messages')
    expect(lines.slice(3)).toEqual(['assistant: yes', 'user: now'])
  })

  it('the prefix stays put while messages are appended', async () => {
    const chat = await chatWith(system('be kind'))
    let before: readonly string[] = []
    for (let round = 0; round < 12; round++) {
      await chat.append([user(`ask ${round}`), call(`c${round}`), results(`c${round}`), assistant(`answer ${round}`)])
      const { messages, cache } = await chat.context({ budget: 5_000 })
      const lines = told(messages)
      expect(lines.slice(0, before.length)).toEqual(before)
      if (round > 0) expect(cache.firstDifference).toBe(1 + 4 * round)
      before = lines
    }
  })
})

describe('[cache-2] the figures', () => {
  it('say how much equals the previous context, where it ends, and where breakpoints belong', async () => {
    const chat = await chatWith(system('be kind'), user('one'), assistant('two'))
    const first = await chat.context({ budget: 1_000 })
    expect(first.cache).toEqual({ equalTokens: 0, totalTokens: 13, firstDifference: 0, breakpoints: [0, 2] })
    await chat.append(user('three'))
    const second = await chat.context({ budget: 1_000 })
    expect(second.cache).toEqual({ equalTokens: 13, totalTokens: 17, firstDifference: 3, breakpoints: [0, 2, 3] })
    const third = await chat.context({ budget: 1_000 })
    expect(third.cache).toEqual({ equalTokens: 17, totalTokens: 17, firstDifference: null, breakpoints: [0, 3] })
  })

  it('count pinned messages as stable', async () => {
    const chat = await chatWith(system('be kind'), user('keep', { tags: ['pinned'] }), assistant('two'), user('three'))
    expect((await chat.context({ budget: 1_000 })).cache.breakpoints).toEqual([1, 3])
  })

  it('see a revision, and what repairing changed under the same id', async () => {
    const chat = await chatWith(user('one'), assistant('two'), call('a'), user('three'))
    await chat.context({ budget: 1_000 })
    const [first] = await chat.history()
    await chat.revise(first?.id ?? '', { content: 'uno' })
    expect((await chat.context({ budget: 1_000 })).cache.firstDifference).toBe(0)

    // With the first call of that id gone the second keeps its id: the same message, other bytes.
    const twice = await chatWith(
      user('one'),
      call('a'),
      results('a'),
      user('two'),
      call('a'),
      results('a'),
      user('three'),
    )
    const whole = await twice.context({ budget: 1_000, policy: 'recency' })
    expect(told(whole.messages)).toContain('call a_2')
    const [, made] = await twice.history()
    await twice.remove(made?.id ?? '')
    const less = await twice.context({ budget: 1_000, policy: 'recency' })
    const shared = less.messages.slice(0, less.cache.firstDifference ?? undefined)
    expect(JSON.stringify(shared)).toBe(JSON.stringify(whole.messages.slice(0, shared.length)))
  })

  it('are of each session its own', async () => {
    const memory = await memoryOf()
    const [one, two] = ['one', 'two'].map((name) => memory.scope('acme').session(name))
    for (const chat of [one, two]) await chat?.append({ ...user('hello'), id: 'm1' })
    await one?.context({ budget: 100 })
    expect((await two?.context({ budget: 100 }))?.cache.equalTokens).toBe(0)
  })

  it('stand as cache_control in the Anthropic dialect, at most four, and nowhere else', async () => {
    const chat = await chatWith(system('be kind'), user('one'), call('a'), results('a'), assistant('two'))
    await chat.context({ budget: 1_000 })
    await chat.append(user('three'))
    const context = await chat.context({ budget: 1_000 })
    const { system: rules, messages } = context.as('anthropic', { cacheMarks: true })
    expect(rules).toEqual([{ type: 'text', text: 'be kind', cache_control: { type: 'ephemeral' } }])
    const marked = messages.flatMap(({ content }, index) =>
      JSON.stringify(content).includes('cache_control') ? [index] : [],
    )
    expect(marked).toEqual([messages.length - 2, messages.length - 1])
    expect(JSON.stringify(context.as('anthropic'))).not.toContain('cache_control')
    expect(JSON.stringify(context.as('openai', { cacheMarks: true }))).not.toContain('ephemeral')
  })
})
