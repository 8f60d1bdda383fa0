import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Context } from '../../src/api/contexts.ts'
import type { PolicyName } from '../../src/api/policy.ts'
import { presets } from '../../src/context/compaction/presets.ts'
import { dialects } from '../../src/domain/dialect.ts'
import { lint } from '../../src/dialects/lint.ts'
import type { NewMessage } from '../../src/domain/new-message.ts'
import type { Memory } from '../../src/api/memory.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import type { Session } from '../../src/api/session.ts'

let memory: Memory
let sessions = 0
beforeAll(async () => {
  memory = await openMemory(':memory:')
})
afterAll(() => memory.close())

async function chatWith(...messages: readonly NewMessage[]): Promise<Session> {
  const chat = memory.scope('acme').session(`s${++sessions}`)
  await chat.append(messages)
  return chat
}

const LOG = `${'2026-01-02 12:00:00 info ready for the next request\n'.repeat(700)}2026-01-02 12:00:01 Error: ECONNRESET at socket.ts:54\n${'2026-01-02 12:00:02 info ready again\n'.repeat(700)}the last line`

function reading(content: string): readonly NewMessage[] {
  return [
    { role: 'user', content: 'what does the log say?' },
    { role: 'assistant', toolCalls: [{ id: 'a', name: 'read_file', arguments: { path: 'app.log' } }] },
    { role: 'tool', toolCallId: 'a', content },
  ]
}

function shown(context: Context): string {
  return JSON.stringify(context.messages).replaceAll('\\n', '\n')
}

const names = Object.keys(presets) as PolicyName[]

describe('a message that does not fit', () => {
  it.each(names)(
    '[contexts-1] [contexts-2] is shown in part under %s: a fresh result of 60 kB at 8,000 tokens',
    async (policy) => {
      const chat = await chatWith(...reading(LOG))
      const context = await chat.context({ budget: 8_000, policy })
      const text = shown(context)
      expect(text).toMatch(/\[truncated tool result, \d+ characters, 1402 lines, \d+ left out, reopen message-3\]/)
      expect(text).toContain('info ready for the next request')
      expect(text).toContain('> 2026-01-02 12:00:01 Error: ECONNRESET at socket.ts:54')
      expect(text).toContain('the last line')
      expect(context.receipt.lines).toContainEqual(
        expect.objectContaining({ type: 'folded', why: 'too-large', fold: 'message-3' }),
      )
      for (const dialect of dialects)
        expect(lint(context.as(dialect), dialect).filter(({ severity }) => severity === 'error')).toEqual([])
      const { text: whole } = await chat.reopen('message-3', { limit: 100_000 })
      expect(whole).toContain(LOG)
      expect((await chat.history())[2]?.parts[0]).toMatchObject({ output: { text: LOG } })
    },
  )

  it('[contexts-2] says what JSON is made of', async () => {
    const rows = Array.from({ length: 2_000 }, (_, id) => ({ id, name: 'Ada', city: 'London' }))
    const chat = await chatWith(...reading(JSON.stringify(rows)))
    const text = shown(await chat.context({ budget: 4_000 }))
    expect(text).toContain('JSON array with 2000 items of objects with keys id, name, city')
  })

  it('[contexts-2] is cut between lines, items and words, not within them', async () => {
    const lines = LOG.split('\n')
    const log = shown(await (await chatWith(...reading(LOG))).context({ budget: 2_000 }))
    const cut = (log.split(', reopen message-3]\n')[1] ?? '').replace(/"}}].*$/s, '').split('\n')
    expect(cut.length).toBeGreaterThan(20)
    for (const line of cut) if (!/^[…>]/.test(line)) expect(lines).toContain(line)
    const rows = Array.from({ length: 2_000 }, (_, id) => ({ id, name: `user${id}` }))
    const listed = shown(await (await chatWith(...reading(JSON.stringify(rows)))).context({ budget: 1_000 }))
    expect(listed).toMatch(/[},]\n…\n[{\\]/)
    const told = Array.from({ length: 4_000 }, (_, index) => `word${index}`)
    const said = shown(await (await chatWith({ role: 'user', content: told.join(' ') })).context({ budget: 1_000 }))
    for (const [word] of said.matchAll(/\bword\d*/g)) expect(told).toContain(word)
  })

  it('[contexts-2] stays as it is shown while the conversation goes on, so that the prefix is cached', async () => {
    const chat = await chatWith(...reading(LOG))
    const first = await chat.context({ budget: 8_000 })
    await chat.append([
      { role: 'assistant', content: 'It says that a connection was reset.' },
      { role: 'user', content: 'when?' },
    ])
    const second = await chat.context({ budget: 8_000 })
    expect(second.messages.slice(0, first.messages.length)).toEqual(first.messages)
    expect(second.cache.equalTokens).toBeGreaterThan(3_000)
  })

  it('[contexts-2] leaves room for what was said before', async () => {
    const chat = await chatWith(
      { role: 'user', content: 'my name is Ada Lovelace' },
      { role: 'assistant', content: 'hello Ada' },
      ...reading(LOG),
    )
    expect(shown(await chat.context({ budget: 8_000, policy: 'recency' }))).toContain('Ada Lovelace')
  })

  it('[contexts-2] can be what the user said, an argument, or an image', async () => {
    const chat = await chatWith({ role: 'user', content: `Please summarise. ${'word '.repeat(20_000)}The end.` })
    const said = shown(await chat.context({ budget: 2_000 }))
    expect(said).toContain('[truncated text, ')
    expect(said).toContain('Please summarise.')
    expect(said).toContain('The end.')

    const writing = await chatWith(
      { role: 'user', content: 'write it' },
      {
        role: 'assistant',
        toolCalls: [{ id: 'w', name: 'write', arguments: { path: 'a.ts', text: 'x = 1\n'.repeat(20_000) } }],
      },
    )
    const written = await writing.context({ budget: 2_000 })
    const call = written.messages.flatMap(({ parts }) => parts).find((part) => part.type === 'tool-call')
    expect(JSON.parse(call?.arguments ?? '')).toMatchObject({
      path: 'a.ts',
      text: expect.stringContaining('reopen message-2') as string,
    })
  })

  it('[contexts-1] is a pointer where nothing else fits', async () => {
    const calls = Array.from({ length: 20 }, (_, index) => `toolu_01A09q90qw90lq917835lq${index}`)
    const chat = await chatWith(
      { role: 'user', content: 'read all' },
      {
        role: 'assistant',
        toolCalls: calls.map((id) => ({ id, name: 'read_file', arguments: { path: 'x'.repeat(500) } })),
      },
      ...calls.map((toolCallId): NewMessage => ({ role: 'tool', toolCallId, content: LOG })),
    )
    const context = await chat.context({ budget: 300 + 60 * 20 })
    expect(context.tokens).toBeLessThanOrEqual(1_500)
    expect(context.messages.flatMap(({ parts }) => parts).filter(({ type }) => type === 'tool-result')).toHaveLength(20)
    expect(shown(context)).toContain('reopen message-22')
  })

  it.each(['read', 'a_very_long_name_that_some_framework_gave_to_a_tool_of_its_user_'])(
    '[contexts-1] has 60 tokens for each of 600 open calls of %s',
    async (name) => {
      const toolCalls = Array.from({ length: 600 }, (_, index) => ({
        id: `toolu_01A09q90qw90lq917835lq${index}`,
        name,
        arguments: { path: 'x'.repeat(500) },
      }))
      const chat = await chatWith({ role: 'user', content: 'read all' }, { role: 'assistant', toolCalls })
      for (const model of ['gpt-4o', 'claude-sonnet-4-5']) {
        const context = await chat.context({ budget: 300 + 60 * 600, model })
        expect(context.messages.flatMap(({ parts }) => parts).filter(({ type }) => type === 'tool-call')).toHaveLength(
          600,
        )
        for (const dialect of ['openai', 'anthropic', 'gemini'] as const)
          expect(lint(context.as(dialect), dialect).filter(({ severity }) => severity === 'error')).toEqual([])
      }
    },
  )

  it('[contexts-3] drops signed reasoning whole, or keeps it whole', async () => {
    const chat = await chatWith(
      { role: 'user', content: 'think' },
      {
        role: 'assistant',
        parts: [
          { type: 'reasoning', text: 'hm '.repeat(3_000), provider: { anthropic: { signature: 'sig' } } },
          { type: 'tool-call', id: 'a', name: 'read_file', arguments: '{}' },
        ],
      },
      { role: 'tool', toolCallId: 'a', content: LOG },
    )
    const reasoning = async (budget: number): Promise<readonly string[]> => {
      const { messages } = await chat.context({ budget })
      return messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'reasoning' ? [part.text] : [])))
    }
    expect(await reasoning(20_000)).toEqual(['hm '.repeat(3_000)])
    expect(await reasoning(1_000)).toEqual([])
  })

  it('[contexts-4] is named by the error of `strict`, with what can be done', async () => {
    const chat = await chatWith(...reading(LOG))
    const before = await chat.stats()
    await expect(chat.context({ budget: 8_000, strict: true })).rejects.toMatchObject({
      code: 'context/over-budget',
      message: expect.stringMatching(/message 3 \(tool\).*larger budget.*no `strict`/) as string,
      details: { message: { seq: 3, role: 'tool' } },
    })
    expect(await chat.stats()).toEqual(before)
  })
})

it('[contexts-2] `reopen` opens any message by its place, and nothing that is not there', async () => {
  const chat = await chatWith({ role: 'user', content: 'one' }, { role: 'user', content: 'two' })
  expect((await chat.reopen('message-2')).text).toBe('[2] user: two')
  await expect(chat.reopen('message-3')).rejects.toMatchObject({ code: 'context/not-found' })
  await expect(chat.reopen('message-0')).rejects.toMatchObject({ code: 'context/not-found' })
})
