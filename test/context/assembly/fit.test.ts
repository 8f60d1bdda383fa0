import { describe, expect, it } from 'vitest'
import { lint } from '../../../src/dialects/lint.ts'
import { dialects } from '../../../src/domain/dialect.ts'
import { assistant, call, chatWith, memoryOf, results, system, text, told, user } from './chat.ts'

/** Every message here costs 3 and its words; a request costs 3 more, for the beginning of the reply. */
describe('a context of the newest that fits', () => {
  it('[cmp-3] [ctx-1] holds all system messages first, then the newest messages, as the Forge ADR has it', async () => {
    const chat = await chatWith(
      system('be kind'),
      user('one'),
      assistant('two'),
      system('be brief'),
      user('three'),
      assistant('four'),
      user('five'),
    )
    const context = await chat.context({ policy: 'recency', budget: 3 + 5 + 5 + 3 * 4 })
    expect(told(context.messages)).toEqual([
      'system: be kind',
      'system: be brief',
      'user: three',
      'assistant: four',
      'user: five',
    ])
    expect(context.tokens).toBe(25)
    expect(context.receipt.lines.filter(({ type }) => type === 'left-out')).toMatchObject([
      { sources: [{ from: 2, through: 3 }], id: 'messages-2-3', why: 'over-budget', tokens: 8 },
    ])
  })

  it('[ctx-2] [ctx-5] fits exactly, and with one token less leaves one message out', async () => {
    const chat = await chatWith(user('one'), assistant('two'), user('three'))
    expect((await chat.context({ budget: 15, policy: 'recency' })).messages).toHaveLength(3)
    const less = await chat.context({ budget: 14, policy: 'recency' })
    // The answer alone would fit, but a conversation that was cut does not begin with one.
    expect(told(less.messages)).toEqual(['user: three'])
    expect(less.receipt.lines).toMatchObject([
      { type: 'kept', seq: 3, as: 'newest-turn' },
      { type: 'left-out', why: 'over-budget', sources: [{ from: 1, through: 1 }] },
      { type: 'left-out', why: 'unsafe-start', sources: [{ from: 2, through: 2 }] },
    ])
    expect((await chat.context({ budget: 7, policy: 'recency' })).messages).toHaveLength(1)
  })

  it.each([0, -1, 1.5, Number.NaN])('refuses a budget of %s', async (budget) => {
    const chat = await chatWith(user('hello'))
    await expect(chat.context({ budget })).rejects.toMatchObject({ code: 'input/invalid' })
  })

  it('[ctx-5] says what does not fit if the newest message alone is too long, and changes nothing', async () => {
    const chat = await chatWith(system('be kind'), user('hi'), assistant('hello'), user(text(40)))
    const before = await chat.stats()
    await expect(chat.context({ budget: 30, reserve: 5 })).rejects.toMatchObject({
      code: 'context/over-budget',
      details: { budget: 30, reserve: 5, system: 5, pinned: 0, newestTurn: 43, recalled: 0, framing: 3, needed: 51 },
    })
    expect(await chat.stats()).toEqual(before)
    expect((await chat.context({ budget: 56, reserve: 5 })).tokens).toBe(51)
  })

  it('[ctx-5] says so too if the system messages alone are too long', async () => {
    const chat = await chatWith(system(text(20)), system(text(20)), user('hi'))
    await expect(chat.context({ budget: 20 })).rejects.toMatchObject({
      code: 'context/over-budget',
      details: { system: 46, newestTurn: 4, needed: 53 },
    })
  })

  it('[ctx-5] counts what closing an open call adds: what is said to be needed is enough, one less is not', async () => {
    const chat = await chatWith(user('go'), call('a', 'b', 'c'))
    const refused = await chat.context({ budget: 1 }).catch((error: unknown) => error)
    const { needed } = (refused as { details: { needed: number } }).details
    expect((await chat.context({ budget: needed })).tokens).toBe(needed)
    await expect(chat.context({ budget: needed - 1 })).rejects.toMatchObject({ code: 'context/over-budget' })
  })

  it('[ctx-8] gives the same bytes again', async () => {
    const chat = await chatWith(system('be kind'), ...Array.from({ length: 60 }, (_, index) => user(text(index + 1))))
    const [once, twice] = [await chat.context({ budget: 400 }), await chat.context({ budget: 400 })]
    for (const dialect of dialects) expect(JSON.stringify(twice.as(dialect))).toBe(JSON.stringify(once.as(dialect)))
  })

  it('is never empty for a provider, also of an empty session', async () => {
    const context = await (await chatWith()).context({ budget: 100 })
    expect(context.messages).toEqual([])
    for (const dialect of dialects)
      expect(lint(context.as(dialect), dialect).filter(({ severity }) => severity === 'error')).toEqual([])
  })

  it('begins with whoever spoke first if nothing is left out', async () => {
    const chat = await chatWith(assistant('How can I help?'), user('My order is late'))
    expect(told((await chat.context({ budget: 100 })).messages)).toEqual([
      'assistant: How can I help?',
      'user: My order is late',
    ])
  })

  it('has the work of an agent that nobody speaks to', async () => {
    const chat = await chatWith(system('watch the log'), call('a'), results('a'), assistant('all quiet'))
    const context = await chat.context({ budget: 1_000 })
    expect(told(context.messages)).toEqual([
      'system: watch the log',
      'call a',
      'result a: saw a',
      'assistant: all quiet',
    ])
    const fewer = await chat.context({ budget: 12, policy: 'recency' })
    expect(told(fewer.messages)).toEqual(['system: watch the log'])
  })
})

describe('what a context counts', () => {
  it('[ctx-10] adds up by kind', async () => {
    const chat = await chatWith(system('be kind'), user('keep this', { tags: ['pinned'] }), call('a'), user('go on'))
    const { receipt, tokens } = await chat.context({ budget: 1_000, reserve: 100 })
    const { system: rules, pinned, folds, messages, recalled, framing, total } = receipt.tokens
    expect({ rules, pinned, folds, recalled }).toEqual({ rules: 5, pinned: 5, folds: 0, recalled: 0 })
    expect(rules + pinned + folds + messages + recalled + framing).toBe(total)
    expect(total).toBe(tokens)
    expect(receipt.tokens).toMatchObject({ budget: 1_000, reserve: 100 })
  })

  it('[ctx-1] counts as the model does where its tokenizer is public, in each session its own messages', async () => {
    const memory = await memoryOf({})
    const one = memory.scope('acme').session('one')
    const two = memory.scope('acme').session('two')
    // The same id and place in both: a count that was remembered for one must not serve the other.
    await one.append({ ...user('hi'), id: 'm1' })
    await two.append({ ...user(text(200, 'incomprehensibilities')), id: 'm1' })
    const short = await one.context({ budget: 10_000, model: 'gpt-4o' })
    const long = await two.context({ budget: 10_000, model: 'gpt-4o' })
    expect(short.receipt.tokens.exact).toBe(true)
    expect(long.tokens).toBeGreaterThan(short.tokens + 200)
  })

  it('leaves room for what an estimate may be wrong by', async () => {
    const chat = (await memoryOf({})).scope('acme').session('chat')
    await chat.append(Array.from({ length: 50 }, () => user(text(20))))
    const plain = await chat.context({ budget: 600, policy: 'recency' })
    const careful = await chat.context({ budget: 600, policy: 'recency', model: 'claude-sonnet-4-5' })
    expect(careful.messages.length).toBeLessThan(plain.messages.length)
    expect(careful.tokens).toBeLessThanOrEqual(600)
    await expect(chat.context({ budget: 5, model: 'claude-sonnet-4-5' })).rejects.toMatchObject({
      code: 'context/over-budget',
      details: { newestTurn: expect.any(Number), framing: expect.any(Number), needed: expect.any(Number) },
    })
  })

  it('[ctx-2] stays within a number of bytes, images included', async () => {
    const chat = (await memoryOf({})).scope('acme').session('chat')
    const image = Buffer.alloc(3_000, 7)
    image.set(Buffer.from('89504e470d0a1a0a', 'hex'))
    await chat.append(
      Array.from({ length: 6 }, (_, index) => ({
        role: 'user' as const,
        parts: [
          { type: 'text' as const, text: `picture ${index}` },
          { type: 'image' as const, source: { type: 'bytes' as const, bytes: image }, mediaType: 'image/png' },
        ],
      })),
    )
    const bytes = { dialect: 'anthropic', max: 10_000 } as const
    const context = await chat.context({ budget: 100_000, bytes })
    const size = Buffer.byteLength(JSON.stringify(context.as('anthropic')))
    expect(size).toBeLessThanOrEqual(10_000)
    expect(context.receipt.bytes).toBe(size)
    expect(context.messages).toHaveLength(2)
    const marked = JSON.stringify(context.as('anthropic', { cacheMarks: true }))
    expect(Buffer.byteLength(marked)).toBeLessThanOrEqual(10_000)
    await expect(
      chat.context({ budget: 100_000, bytes: { dialect: 'anthropic', max: 1_000 }, strict: true }),
    ).rejects.toMatchObject({
      code: 'context/over-budget',
      message: expect.stringContaining('1000 bytes of anthropic'),
      details: { bytesMax: 1_000, bytes: expect.any(Number) },
    })
  })

  it('[ctx-2] has the bytes of images that a shortened message still shows', async () => {
    const memory = await memoryOf({})
    const chat = memory.scope('acme').session('chat')
    const image = Buffer.alloc(300, 7)
    image.set(Buffer.from('89504e470d0a1a0a', 'hex'))
    await chat.append([
      user('look'),
      { role: 'assistant', toolCalls: [{ id: 'a', name: 'look', arguments: {} }] },
      {
        role: 'tool',
        parts: [
          {
            type: 'tool-result',
            callId: 'a',
            output: {
              type: 'parts',
              parts: [
                { type: 'text', text: text(2_000) },
                { type: 'image', source: { type: 'bytes', bytes: image }, mediaType: 'image/png' },
              ],
            },
          },
        ],
      },
      assistant('seen'),
      user('and now'),
    ])
    const steps = [{ stage: 'truncate-results', charactersMax: 200 }] as const
    await chat.compact({ policy: { name: 'cut', high: {}, low: {}, steps, advance: 'until-low' }, force: true })
    const context = await chat.context({ budget: 100_000, bytes: { dialect: 'anthropic', max: 50_000 } })
    expect(context.receipt.lines.map(({ type }) => type)).toContain('folded')
    expect(JSON.stringify(context.as('anthropic'))).toContain(image.toString('base64'))
    // The compaction names the image too, and verifying does not take it for a message.
    expect(await memory.verify()).toMatchObject({ ok: true })
  })
})

it('[sum-9] after "too long", shrink compacts by force, fills three quarters and has the user’s message once', async () => {
  const chat = await chatWith(system('be kind'))
  for (let round = 0; round < 30; round++) await chat.append([user(`ask ${round} ${text(20)}`), assistant(text(20))])
  await chat.append(user('the newest question'))
  const full = await chat.context({ budget: 2_000, policy: 'balanced' })
  const { version } = await chat.stats()
  const shrunk = await chat.context({ budget: 2_000, policy: 'balanced', shrink: true })
  expect((await chat.stats()).version).toBe(version + 1)
  expect(shrunk.tokens).toBeLessThanOrEqual(1_500)
  expect(shrunk.tokens).toBeLessThan(full.tokens)
  expect(told(shrunk.messages).filter((line) => line === 'user: the newest question')).toHaveLength(1)
  // Bounded: each call takes one step at the most, and there is an end.
  let last = shrunk.tokens
  for (let again = 0; again < 8; again++) {
    const { tokens } = await chat.context({ budget: 2_000, policy: 'balanced', shrink: true })
    expect(tokens).toBeLessThanOrEqual(last)
    last = tokens
  }
  expect((await chat.history()).filter(({ role }) => role === 'user')).toHaveLength(31)
})

it('[sum-9] shrinking takes all of the budget where what must be there needs it', async () => {
  const chat = await chatWith(system(text(80)), user('now'))
  const needed = (await chat.context({ budget: 1_000 })).tokens
  const { tokens } = await chat.context({ budget: needed + 3, shrink: true })
  expect(tokens).toBe(needed)
  await expect(chat.context({ budget: needed - 1, shrink: true })).rejects.toMatchObject({
    code: 'context/over-budget',
    details: { budget: needed - 1 },
  })
})
