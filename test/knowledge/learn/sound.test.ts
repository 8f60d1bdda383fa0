import { describe, expect, it } from 'vitest'
import type { MemoryOptions } from '../../../src/api/open-memory.ts'
import type { Memory } from '../../../src/api/memory.ts'
import { openMemory } from '../../../src/memory/open-memory.ts'
import type { ModelRequest } from '../../../src/ports/language-model.ts'

const SCOPE = 'acme/ada'

async function texts(memory: Memory, more: object = {}): Promise<readonly string[]> {
  return (await memory.scope(SCOPE).facts({ limit: 1_000, ...more })).map(({ text }) => text).toSorted()
}

/** A model that says these facts of the first message it is shown, whatever that is. */
function claiming(...claims: readonly object[]): NonNullable<MemoryOptions['learn']> {
  const model = async ({ prompt }: ModelRequest): Promise<string> => {
    const message = /"id":"([^"]+)"/.exec(prompt)?.[1]
    const blank = { subject: 'user', validFrom: null, validTo: null, over: false, confidence: 0.9 }
    return JSON.stringify({ facts: claims.map((claim) => ({ ...blank, message, ...claim })) })
  }
  return { model }
}

describe('[learn-1] one claim that no fact can be made of', () => {
  it.each([
    ['empty', ''],
    ['blank', '  '],
    ['a mark nobody sees', '\uFEFF'],
    ['endless', 'x'.repeat(600)],
  ])('is not made of a name that is %s', async (_, name) => {
    await using memory = await openMemory(':memory:')
    const chat = memory.scope(SCOPE).session('s')
    await chat.append({ role: 'user', name, content: 'I like rowing.' })
    await chat.append({ role: 'user', content: 'I like chess.' })
    expect(await memory.settled()).toEqual({ waiting: 0, failed: 0 })
    expect(await texts(memory)).toHaveLength(2)
    expect(await memory.scope(SCOPE).facts({ subject: 'user' })).toHaveLength(2)
  })

  it('is dropped and counted, and the others are learned', async () => {
    const quote = 'I spent the first of May in Graz'
    const learn = claiming(
      { quote, predicate: 'visited', object: 'Graz', validFrom: '2024-05-01', validTo: '2024-05-01' },
      { quote, predicate: 'was_in', object: 'Graz', validFrom: '2024-05-02', validTo: '2024-04-01' },
    )
    await using memory = await openMemory(':memory:', { learn })
    await memory
      .scope(SCOPE)
      .session('s')
      .append({ role: 'user', content: `${quote}.` })
    expect(await memory.settled()).toEqual({ waiting: 0, failed: 0 })
    expect(await memory.scope(SCOPE).facts({ includeClosed: true })).toMatchObject([
      { predicate: 'visited', validFrom: '2024-05-01T00:00:00.000Z', validTo: '2024-05-02T00:00:00.000Z' },
    ])
    expect(await memory.jobs.list()).toMatchObject([
      { result: { facts: 1, remarks: ['dropped: 1 that could not be stored as facts'] } },
    ])
  })

  it('does not come of an end at the very moment it is told', async () => {
    await using memory = await openMemory(':memory:')
    const chat = memory.scope(SCOPE).session('s')
    await chat.append({ role: 'user', at: '2023-06-01T00:00:00Z', content: 'I live in Turku.' })
    await chat.append({ role: 'user', at: '2024-01-01T00:00:00Z', content: 'I no longer live in Turku since 2024.' })
    await chat.append({ role: 'user', content: 'I like chess.' })
    expect(await memory.settled()).toEqual({ waiting: 0, failed: 0 })
    expect(await texts(memory)).toHaveLength(1)
    expect(await memory.scope(SCOPE).facts({ state: 'closed' })).toMatchObject([
      { predicate: 'lives_in', validTo: '2024-01-01T00:00:00.000Z' },
    ])
  })

  it('is not one too many: a lesson ends where its claims fill it, and the next goes on', async () => {
    await using memory = await openMemory(':memory:')
    const sayings = (from: number): string =>
      Array.from({ length: 20 }, (_, index) => `I like game${from * 20 + index}.`).join(' ')
    const messages = Array.from({ length: 64 }, (_, index) => ({ role: 'user' as const, content: sayings(index) }))
    await memory.scope(SCOPE).session('s').append(messages)
    expect(await memory.settled()).toEqual({ waiting: 0, failed: 0 })
    expect(await memory.jobs.list()).toMatchObject([{ state: 'done', result: { messages: 64, facts: 1_280 } }])
    const found = await memory.scope(SCOPE).facts({ limit: 1_000 })
    expect(found).toHaveLength(1_000)
  })
})

describe('[learn-1] what is said to be over', () => {
  async function say(memory: Memory, ...sayings: readonly string[]): Promise<void> {
    for (const content of sayings) {
      await memory.scope(SCOPE).session('s').append({ role: 'user', content })
      await memory.settled()
    }
  }

  it('ends what is known, and says nothing about the time before', async () => {
    let now = Date.parse('2024-02-01T09:00:00Z')
    await using memory = await openMemory(':memory:', { clock: { now: () => now } })
    await say(memory, 'I live in Bremen.')
    now = Date.parse('2025-02-01T09:00:00Z')
    await say(memory, 'I used to live in Cadiz.', "I don't live in Delft.")
    expect(await texts(memory, { at: '2024-07-01' })).toEqual([expect.stringContaining('Bremen')])
    expect(await texts(memory, { at: '2010-07-01' })).toEqual([expect.stringContaining('Bremen')])
    expect(await memory.scope(SCOPE).facts({ includeClosed: true })).toHaveLength(1)
    expect((await memory.scope(SCOPE).entities()).map(({ name }) => name)).not.toContain('Cadiz')
    now = Date.parse('2025-03-01T09:00:00Z')
    await say(memory, 'I no longer live in Bremen.')
    expect(await texts(memory)).toEqual([])
    expect(await texts(memory, { at: '2025-02-15' })).toEqual([expect.stringContaining('Bremen')])
  })

  it.each([
    ['rolled back', (memory: Memory, id: string) => memory.scope(SCOPE).rollBack({ message: id })],
    [
      'revised',
      (memory: Memory, id: string) => memory.scope(SCOPE).session('s').revise(id, { content: 'Never mind.' }),
    ],
  ])('[learn-4] goes on when who said so is %s', async (_, undo) => {
    let now = Date.parse('2024-02-01T09:00:00Z')
    await using memory = await openMemory(':memory:', { clock: { now: () => now } })
    await say(memory, 'I live in Bremen.', 'I like chess.')
    const before = await texts(memory)
    now = Date.parse('2025-02-01T09:00:00Z')
    const ids: string[] = []
    for (const content of ["I don't like chess any more.", 'I no longer live in Bremen.']) {
      const [stored] = await memory.scope(SCOPE).session('s').append({ role: 'user', content })
      ids.push(stored?.id ?? '')
      await memory.settled()
    }
    expect(await texts(memory)).not.toContain(before[0])
    expect(await texts(memory)).not.toContain(before[1])
    for (const id of ids) await undo(memory, id)
    await memory.settled()
    expect(await texts(memory)).toEqual(before)
    expect(await memory.scope(SCOPE).facts()).toMatchObject([{ sourceCount: 1 }, { sourceCount: 1 }])
  })

  it('does not bring back what was before it', async () => {
    let now = Date.parse('2024-02-01T09:00:00Z')
    await using memory = await openMemory(':memory:', { clock: { now: () => now } })
    for (const saying of ['I live in Bremen.', 'I moved to Delft.', 'I no longer live in Delft.']) {
      await say(memory, saying)
      now += 30 * 86_400_000
    }
    expect(await texts(memory)).toEqual([])
    expect(await texts(memory, { at: '2024-03-10' })).toEqual([expect.stringContaining('Delft')])
    expect(await texts(memory, { at: '2024-02-10' })).toEqual([expect.stringContaining('Bremen')])
  })

  it('is over also when all of it is learned at once, later', async () => {
    await using memory = await openMemory(':memory:')
    const sayings = ['I live in Bremen.', 'I live in Delft.', 'I no longer live in Delft.']
    await memory
      .scope(SCOPE)
      .session('s')
      .append(
        sayings.map((content, index) => ({ role: 'user' as const, at: `2024-0${index + 1}-01T10:00:00Z`, content })),
      )
    await memory.settled()
    expect((await texts(memory)).join()).not.toContain('Delft')
  })

  it('is not over because somebody says so who is trusted less', async () => {
    await using memory = await openMemory(':memory:')
    const chat = memory.scope(SCOPE).session('s')
    await chat.append({ role: 'user', content: 'My sister Ines lives in Porto.' })
    await chat.append({ role: 'tool', toolCallId: 'c', content: 'My sister Ines no longer lives in Porto.' })
    await chat.append({ role: 'assistant', content: 'Ines no longer lives in Porto.' })
    await memory.settled()
    expect(await memory.scope(SCOPE).facts({ predicate: 'lives_in' })).toMatchObject([
      { state: 'current', sourceCount: 1 },
    ])
  })

  it('may be a liking: who now dislikes a thing does not like it', async () => {
    await using memory = await openMemory(':memory:')
    await say(memory, 'I like olives.', 'I hate olives.')
    expect((await memory.scope(SCOPE).facts()).map(({ predicate }) => predicate)).toEqual(['dislikes'])
    await say(memory, 'I love olives.')
    expect((await memory.scope(SCOPE).facts()).map(({ predicate }) => predicate)).toEqual(['likes'])
  })
})
