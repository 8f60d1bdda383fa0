import { afterEach, describe, expect, it, vi } from 'vitest'
import type { NewMessage } from '../../src/domain/new-message.ts'
import { isRecalled } from '../../src/domain/recalled.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import type { Memory } from '../../src/api/memory.ts'
import type { LongTermOptions } from '../../src/api/long-term-memory.ts'
import { longTermMemory } from '../../src/tools/long-term-memory.ts'
import type { RecalledItem } from '../../src/recall/block/shown-item.ts'
import type { LongTermScope } from '../../src/tools/long-term-scope.ts'
import { parseLongTermMemory } from '../../src/recall/block/parse-long-term-memory.ts'

const tea: RecalledItem = {
  kind: 'message',
  text: 'I like green tea',
  at: '2026-01-02T03:04:05.000Z',
  trust: 2,
  source: { session: 'earlier', seq: 3, id: 'm3' },
}
const ask: NewMessage = { role: 'user', content: 'What do I like?' }

const open: Memory[] = []
afterEach(async () => {
  for (const memory of open.splice(0)) await memory.close()
  vi.useRealTimers()
})

/** A real session for the log; doubles for recall, remember, retract and forget. */
async function scene(doubles: Partial<LongTermScope> = {}, options: Partial<LongTermOptions> = {}) {
  const memory = await openMemory(':memory:')
  open.push(memory)
  const scope = memory.scope('acme/ada')
  const recall = vi.fn<LongTermScope['recall']>(doubles.recall ?? (async () => ({ items: [tea] })))
  const remember = vi.fn<LongTermScope['remember']>(
    doubles.remember ?? (async (facts) => facts.map(({ text }, index) => ({ id: `f${index}`, text }))),
  )
  const forget = vi.fn<LongTermScope['forget']>(doubles.forget ?? (async () => ({ facts: 1 })))
  const retract = vi.fn<LongTermScope['retract']>(doubles.retract ?? (async () => ({ text: 'Ada likes tea' })))
  const double: LongTermScope = { recall, remember, retract, forget, session: (id) => scope.session(id) }
  const errors: unknown[] = []
  const longTerm = longTermMemory(double, { session: 's', onError: (error) => void errors.push(error), ...options })
  const tool = (name: string) => (input: unknown) =>
    longTerm
      .tools()
      .find((one) => one.name === name)
      ?.execute(input) ?? Promise.reject(new Error(`no ${name}`))
  return { longTerm, session: scope.session('s'), recall, remember, retract, forget, errors, tool }
}

describe('[ltm-1] recording', () => {
  const turn = (n: number): readonly NewMessage[] => [
    { role: 'user', content: `Question ${n}` },
    { role: 'assistant', content: null, toolCalls: [{ id: `c${n}`, name: 'look', arguments: { n } }] },
    { role: 'tool', toolCallId: `c${n}`, content: `Result ${n}` },
    { role: 'assistant', content: [{ type: 'text', text: `Answer ${n}` }] },
  ]

  it('stores only what is new when the whole conversation is given each time', async () => {
    const { longTerm, session } = await scene()
    const all: NewMessage[] = []
    for (let n = 1; n <= 4; n++) {
      all.push(...turn(n))
      expect(await longTerm.record(structuredClone(all))).toHaveLength(4)
      expect(await longTerm.record(all)).toHaveLength(0)
    }
    expect(await session.count()).toBe(16)
  })

  it('stores only what is new when a window of it is given each time, and by a process that knows nothing of the last', async () => {
    const { longTerm, session } = await scene()
    await longTerm.record([...turn(1), ...turn(2)])
    const next = longTermMemory({ session: () => session } as never, { session: 's' })
    await next.record([...turn(2), ...turn(3)])
    await next.record(turn(4))
    expect((await session.history()).map(({ parts }) => parts[0]).filter((part) => part?.type === 'text')).toHaveLength(
      8,
    )
    expect(await session.count()).toBe(16)
  })

  it('stores by id where there are ids, in any order, and refuses one id for two messages', async () => {
    const { longTerm, session } = await scene()
    const a: NewMessage = { id: 'a', role: 'user', content: 'Hello' }
    const b: NewMessage = { id: 'b', role: 'assistant', content: 'Hi' }
    await longTerm.record([a, b])
    await longTerm.record([b])
    await longTerm.record([a, b, { id: 'c', role: 'user', content: 'Hello' }])
    expect((await session.history()).map(({ id }) => id)).toEqual(['a', 'b', 'c'])
    await expect(longTerm.record([{ ...a, content: 'Other' }])).rejects.toMatchObject({ code: 'log/id-conflict' })
  })

  it('stores one message as often as it is said, and an operation once', async () => {
    const { longTerm, session } = await scene()
    await longTerm.record([{ role: 'user', content: 'yes' }])
    await longTerm.record([{ role: 'user', content: 'yes' }])
    expect(await session.count()).toBe(2)
    for (let retry = 0; retry < 3; retry++)
      await longTerm.record([{ role: 'user', content: 'yes' }], { operationId: 'o' })
    expect(await session.count()).toBe(3)
  })

  it('stores each once when calls overlap', async () => {
    const { longTerm, session } = await scene()
    await Promise.all([
      longTerm.record(turn(1)),
      longTerm.record([...turn(1), ...turn(2)]),
      longTerm.record([...turn(1), ...turn(2)]),
    ])
    expect(await session.count()).toBe(8)
  })

  it('[signed-7] stores each message once when the system prompt has a clock in it', async () => {
    const { longTerm, session } = await scene()
    const said = [1, 2, 3].flatMap((n): readonly NewMessage[] => [
      { role: 'user', content: `Question ${n}` },
      { role: 'assistant', content: `Answer ${n}` },
    ])
    for (let turns = 1; turns <= 3; turns++)
      await longTerm.record([
        { role: 'system', content: `It is ${turns} o'clock.` },
        ...structuredClone(said.slice(0, 2 * turns)),
      ])
    expect((await session.history()).map(({ role }) => role)).toEqual(['system', ...said.map(({ role }) => role)])
  })

  it('[signed-7] stores no message again because an old result was shortened or an old text was changed', async () => {
    const { longTerm, session } = await scene()
    await longTerm.record(structuredClone(turn(1)))
    const shortened = turn(1).map((message) => (message.role === 'tool' ? { ...message, content: 'Res…' } : message))
    await longTerm.record([...shortened, ...turn(2)])
    expect(await session.count()).toBe(8)
    const changed = [...shortened, ...turn(2)].map((message, at) =>
      at === 0 ? { ...message, content: 'Q1' } : message,
    )
    await longTerm.record([...structuredClone(changed), ...turn(3)])
    expect(await session.count()).toBe(12)
  })

  it('[signed-7] stores a turn that repeats the one before it, word for word', async () => {
    await using memory = await openMemory(':memory:')
    const longTerm = longTermMemory(memory.scope('a'), { session: 'again' })
    const same = [
      { role: 'user' as const, content: 'again, please' },
      { role: 'assistant' as const, content: 'done' },
    ]
    const system = { role: 'system' as const, content: 'The time is 10:00' }
    await longTerm.record([system, ...structuredClone(same)])
    await longTerm.record([system, ...structuredClone(same), ...structuredClone(same)])
    await longTerm.record([system, ...structuredClone(same), ...structuredClone(same)])
    const said = await memory.scope('a').session('again').history()
    expect(said.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user', 'assistant'])
  })

  it('[signed-7] stores a turn that is given alone as often as it is given', async () => {
    const { longTerm, session } = await scene()
    const yes: readonly NewMessage[] = [
      { role: 'user', content: 'yes' },
      { role: 'assistant', content: 'Done.' },
    ]
    for (let times = 1; times <= 3; times++) {
      expect(await longTerm.record(yes)).toHaveLength(2)
      expect(await session.count()).toBe(2 * times)
    }
    expect(await longTerm.record([...yes, { role: 'user', content: 'Thanks' }])).toHaveLength(1)
  })

  it('says what is wrong with a message, and goes on afterwards', async () => {
    const { longTerm, session } = await scene()
    await expect(longTerm.record([{ role: 'nobody' as never, content: 'x' }])).rejects.toMatchObject({
      code: 'input/invalid',
    })
    await longTerm.record(turn(1))
    expect(await session.count()).toBe(4)
  })

  it('does nothing in mode agent', async () => {
    const { longTerm, session } = await scene({}, { mode: 'agent' })
    expect(await longTerm.record(turn(1))).toEqual([])
    expect(await session.count()).toBe(0)
  })
})

describe('[ltm-3] what was recalled', () => {
  it('is a user message of its own after the input, and is not stored again', async () => {
    const { longTerm, session } = await scene()
    const request: readonly NewMessage[] = [{ role: 'system', content: 'Be kind' }, ask]
    const augmented = await longTerm.augment(request)
    expect(augmented.slice(0, 2)).toEqual(request)
    expect(augmented[2]).toMatchObject({ role: 'user', name: 'long_term_memory', metadata: { daybook: 'recalled' } })
    expect(parseLongTermMemory(String(augmented[2]?.content))).toEqual([
      { id: 'earlier#3', speaker: 'message', at: '2026-01-02T03:04Z', trust: 2, text: tea.text },
    ])
    expect(augmented.filter(isRecalled)).toHaveLength(1)
    await longTerm.record([...augmented, { role: 'assistant', content: 'Green tea' }])
    expect((await session.history()).map(({ role }) => role)).toEqual(['system', 'user', 'assistant'])
    // The next turn brings its own: what an earlier one left behind goes.
    const next = await longTerm.augment([
      ...augmented,
      { role: 'assistant', content: 'Green tea' },
      { role: 'user', content: 'And?' },
    ])
    expect(next.map(isRecalled)).toEqual([false, false, false, false, true])
  })

  it('is kept with its mark if somebody appends it all the same', async () => {
    const { longTerm, session } = await scene()
    const [, recalled] = await longTerm.augment([ask])
    const [stored] = await session.append(recalled as NewMessage)
    expect(isRecalled(stored)).toBe(true)
    expect(isRecalled((await session.recent(1))[0] ?? {})).toBe(true)
  })

  it.each([
    undefined,
    null,
    {},
    { daybook: 'other' },
    { daybook: ['recalled'] },
    Object.create({ daybook: 'recalled' }),
  ])('is not what has the metadata %j', (metadata) => {
    expect(isRecalled({ metadata })).toBe(false)
  })
})

describe('[ltm-2] retrieval', () => {
  it('happens once a turn, whatever the number of steps', async () => {
    const { longTerm, recall } = await scene()
    const first = await longTerm.augment([ask])
    const steps: NewMessage[] = [ask]
    for (let step = 0; step < 3; step++) {
      steps.push({ role: 'assistant', content: null, toolCalls: [{ id: `c${step}`, name: 'x', arguments: '{}' }] })
      steps.push({ role: 'tool', toolCallId: `c${step}`, content: 'ok' })
      const augmented = await longTerm.augment([...steps])
      // At the same place each time: a provider's cache of what comes before stays good.
      expect(augmented.slice(0, 2)).toEqual(first)
    }
    expect(recall).toHaveBeenCalledTimes(1)
    // The same words again, but another turn.
    await longTerm.augment([...steps, { role: 'assistant', content: 'Tea' }, ask])
    expect(recall).toHaveBeenCalledTimes(2)
    expect(recall).toHaveBeenLastCalledWith('What do I like?', { budget: 1_000, relevant: true })
  })

  it('that fails, finds nothing or is not asked for leaves the request as it was', async () => {
    const failing = await scene({ recall: () => Promise.reject(new Error('disk on fire')) })
    const request = [ask]
    expect(await failing.longTerm.augment(request)).toBe(request)
    expect(await failing.longTerm.augment(request)).toBe(request)
    expect(failing.recall).toHaveBeenCalledTimes(1)
    expect(failing.errors).toEqual([new Error('disk on fire')])
    const throwing = await scene({
      recall: () => {
        throw new Error('at once')
      },
    })
    expect(await throwing.longTerm.augment(request)).toBe(request)
    const empty = await scene({ recall: async () => ({ items: [] }) })
    expect(await empty.longTerm.augment(request)).toBe(request)
    const agent = await scene({}, { mode: 'agent' })
    expect(await agent.longTerm.augment(request)).toBe(request)
    expect(agent.recall).not.toHaveBeenCalled()
    const { longTerm, recall } = await scene()
    for (const silent of [[], [{ role: 'system', content: 'x' }], [{ role: 'user', content: '  ' }]] as NewMessage[][])
      expect(await longTerm.augment(silent)).toBe(silent)
    expect(recall).not.toHaveBeenCalled()
  })

  it('that is slow is not waited for', async () => {
    vi.useFakeTimers()
    const { longTerm, errors } = await scene({ recall: () => new Promise(() => undefined) }, { deadlineMs: 700 })
    const request = [ask]
    const augmented = longTerm.augment(request)
    await vi.advanceTimersByTimeAsync(700)
    expect(await augmented).toBe(request)
    expect(errors).toEqual([expect.objectContaining({ name: 'TimeoutError' })])
  })

  it('answers in a block for a message or a text', async () => {
    const { longTerm } = await scene()
    for (const message of ['tea?', { role: 'user', content: [{ type: 'text', text: 'tea?' }] } as NewMessage])
      expect(parseLongTermMemory(await longTerm.retrieve(message)).map(({ id }) => id)).toEqual(['earlier#3'])
    expect(await longTerm.retrieve('')).toBe('')
  })
})

describe('[ltm-1] the tools', () => {
  it('are five, with a schema each, and none in mode static', async () => {
    const { longTerm } = await scene()
    expect(longTerm.tools().map(({ name }) => name)).toEqual([
      'record_to_memory',
      'retrieve_from_memory',
      'reopen',
      'search_history',
      'retract',
    ])
    for (const { inputSchema } of longTerm.tools())
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false })
    expect(longTerm.tools()[0]?.inputSchema).toMatchObject({ required: ['thinking', 'content'] })
    expect((await scene({}, { mode: 'static' })).longTerm.tools()).toEqual([])
  })

  it('record notes as the agent says them', async () => {
    const { tool, remember } = await scene()
    const record = tool('record_to_memory')
    expect(await record({ thinking: 'worth it', content: ['Ada likes <tea>', '', 'Bo does not'] })).toBe(
      [
        'Recorded 2 of 2:',
        String.raw`{"id":"f0","text":"Ada likes \u003ctea\u003e"}`,
        '{"id":"f1","text":"Bo does not"}',
      ].join('\n'),
    )
    expect(remember).toHaveBeenCalledWith([{ text: 'Ada likes <tea>' }, { text: 'Bo does not' }], { channel: 'agent' })
    expect(await record({ thinking: '', content: 'One note' })).toMatch(/^Recorded 1 of 1/)
  })

  it('retrieve by keywords', async () => {
    const { tool, recall } = await scene()
    expect(parseLongTermMemory(await tool('retrieve_from_memory')({ keywords: ['Ada', 'tea'] }))).toHaveLength(1)
    expect(recall.mock.calls.map(([query]) => query)).toEqual(['Ada tea', 'Ada', 'tea'])
    const { tool: other } = await scene({ recall: async () => ({ items: [] }) })
    expect(await other('retrieve_from_memory')({ keywords: ['<x>'] })).toBe(
      String.raw`Nothing was found for ["\u003cx\u003e"].`,
    )
  })

  it('search the history and reopen what was folded', async () => {
    const { tool, session } = await scene()
    await session.append([
      { role: 'user', content: 'Where is order 7731?' },
      { role: 'assistant', content: null, toolCalls: [{ id: 'c', name: 'track', arguments: '{"order":7731}' }] },
      { role: 'tool', toolCallId: 'c', content: `Order 7731: ${'in Lisbon '.repeat(2_000)}` },
      { role: 'assistant', content: 'It is in Lisbon.' },
      { role: 'user', content: 'Thanks' },
      { role: 'assistant', content: 'You are welcome' },
    ])
    const found = parseLongTermMemory(await tool('search_history')({ text: '7731' }))
    expect(found.map(({ trust }) => trust)).toEqual([2, 1, 0])
    expect(await tool('search_history')({ text: '7731', limit: '1' })).toContain('Trust 0')
    expect(await tool('search_history')({ text: 'nowhere' })).toBe('No message contains "nowhere".')
    await session.compact({ force: true })
    const fold = (await session.window()).find((entry) => 'sources' in entry)
    const id = fold !== undefined && 'sources' in fold ? fold.id : ''
    expect(id).not.toBe('')
    const page = await tool('reopen')({ fold: id })
    expect(page).toContain('in Lisbon in Lisbon')
    expect(await tool('reopen')({ id })).toContain('in Lisbon in Lisbon')
    expect(await tool('reopen')({ fold: id, offset: 10_000_000 })).toMatch(/^There is nothing at 10000000/)
  })

  it('show the place of a hit in a long message, and leave out their own calls and results', async () => {
    const { tool, session } = await scene()
    const search = async (text: string, limit = 20) =>
      parseLongTermMemory(await tool('search_history')({ text, limit })).map((item) => item.text)
    const asked = (id: string, text: string): readonly NewMessage[] => [
      { role: 'assistant', content: null, toolCalls: [{ id, name: 'search_history', arguments: { text } }] },
      { role: 'tool', toolCallId: id, content: `No message contains "${text}".` },
    ]
    const rows = 'Straße 7 \u{1f600}\n'.repeat(1_000)
    await session.append([
      { role: 'assistant', content: 'I look.', toolCalls: [{ id: 'c', name: 'look', arguments: { at: 'Kiel' } }] },
      { role: 'tool', toolCallId: 'c', content: `${rows}NEEDLE-1\n${rows}` },
      ...asked('c1', 'NEEDLE-1'),
      ...asked('c2', 'NEEDLE-1'),
    ])
    const [found = '', ...others] = await search('needle-1', 1)
    expect(others).toEqual([])
    expect(found).toMatch(/^….*Straße 7 \u{1f600}\nNEEDLE-1\nStraße 7/su)
    expect(found.isWellFormed()).toBe(true)
    expect(found.length).toBeLessThan(1_100)
    expect(await search('kiel')).toEqual(['I look.\nlook {"at":"Kiel"}'])
    expect(await tool('search_history')({ text: 'No message' })).toBe('No message contains "No message".')
  })

  it('[hosts-32] take a fact back by its id', async () => {
    const { tool, retract } = await scene()
    expect(await tool('retract')({ id: 'f1', reason: 'She said so.' })).toBe(
      'Retracted: {"id":"f1","text":"Ada likes tea"}',
    )
    expect(retract.mock.calls).toEqual([['f1', 'She said so.', { channel: 'agent' }]])
  })

  it('[hosts-31] forget one fact or one subject, only where destroying is allowed', async () => {
    await expect((await scene()).tool('forget')({ fact: 'f1' })).rejects.toThrow('no forget')
    const { tool, forget } = await scene({}, { allowDestroy: true })
    expect(await tool('forget')({ fact: 'f1' })).toBe('Forgotten: {"facts":1}')
    expect(await tool('forget')({ subject: 'Ada' })).toBe('Forgotten: {"facts":1}')
    expect(forget.mock.calls).toEqual([[{ fact: 'f1' }], [{ subject: 'Ada' }]])
    expect(await tool('forget')({ fact: 'f1', subject: 'Ada' })).toMatch(/^Nothing was forgotten/)
  })

  const inputs = [
    undefined,
    null,
    '',
    'text',
    7,
    [],
    {},
    { content: [], keywords: [], text: '', fold: '' },
    { content: [null, 7, ' '] },
    JSON.parse('{"__proto__":{"content":["x"]}}'),
  ]
  it.each(inputs)('answer in words for %j', async (input) => {
    const { longTerm, remember, retract, forget, recall } = await scene({}, { allowDestroy: true })
    for (const { execute } of longTerm.tools())
      expect(await execute(input)).toMatch(/^Nothing was .+: .*expected .+\.$/)
    for (const call of [remember, retract, forget, recall]) expect(call).not.toHaveBeenCalled()
  })

  it('answer in words when something fails, and show what cannot be seen', async () => {
    const fail = (): never => {
      throw new Error('no\u202e such <fold>')
    }
    const { tool } = await scene(
      {
        recall: fail,
        remember: () => Promise.reject(new Error('full')),
        forget: () => Promise.reject('odd'),
      },
      { allowDestroy: true },
    )
    expect(await tool('record_to_memory')({ thinking: '', content: ['x'] })).toBe('record_to_memory did not work: full')
    expect(await tool('retrieve_from_memory')({ keywords: ['x'] })).toBe(
      String.raw`retrieve_from_memory did not work: no\u202e such \u003cfold\u003e`,
    )
    expect(await tool('forget')({ fact: 'x' })).toBe('forget did not work: an error that cannot be read')
    expect(await tool('reopen')({ fold: 'none' })).toMatch(/^reopen did not work: Cannot reopen "none"/)
  })
})

describe('[ltm-1] options', () => {
  it.each([
    {},
    { session: '' },
    { session: 's', mode: 'auto' },
    { session: 's', budget: 0 },
    { session: 's', deadlineMs: -1 },
    { session: 's', onError: 1 },
    { session: 's', allowDestroy: 'yes' },
    { session: 's', limit: 1 },
  ])('refuse %j', (options) => {
    expect(() => longTermMemory({} as never, options as never)).toThrow(/^Cannot use long-term memory: /)
  })
})
