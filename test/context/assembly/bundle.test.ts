import { describe, expect, it } from 'vitest'
import { lint } from '../../../src/dialects/lint.ts'
import { dialects } from '../../../src/domain/dialect.ts'
import type { NewMessage } from '../../../src/domain/new-message.ts'
import type { Context } from '../../../src/api/contexts.ts'
import { assistant, call, chatWith, results, text, told, user } from './chat.ts'
import { seqsIn } from '../../property/context-checks.ts'

function errorsIn(context: Context): readonly string[] {
  return dialects.flatMap((dialect) =>
    lint(context.as(dialect), dialect).flatMap(({ rule, severity }) =>
      severity === 'error' ? [`${dialect} ${rule}`] : [],
    ),
  )
}

async function whole(...messages: readonly NewMessage[]): Promise<readonly string[]> {
  const chat = await chatWith(...messages)
  const before = await chat.history()
  const context = await chat.context({ budget: 10_000 })
  expect(errorsIn(context)).toEqual([])
  expect(await chat.history()).toEqual(before)
  return told(context.messages)
}

describe('[ctx-6] a bundle stands together', () => {
  it('with parallel calls and results in several messages', async () => {
    expect(await whole(user('go'), call('a', 'b'), results('b'), results('a'), assistant('done'))).toEqual([
      'user: go',
      'call a b',
      'result b: saw b',
      'result a: saw a',
      'assistant: done',
    ])
  })

  it('wherever a result arrived', async () => {
    expect(await whole(user('go'), call('a'), user('hurry'), results('a'), assistant('done'))).toEqual([
      'user: go',
      'call a',
      'result a: saw a',
      'user: hurry',
      'assistant: done',
    ])
  })

  it('also if a result arrived before its call', async () => {
    expect(await whole(user('go'), results('a'), call('a'), assistant('done'))).toEqual([
      'user: go',
      'call a',
      'result a: saw a',
      'assistant: done',
    ])
  })

  it('if one tool message answers the calls of two messages', async () => {
    const lines = await whole(user('go'), call('a'), call('b'), results('a', 'b'), assistant('done'))
    expect(lines).toEqual(['user: go', 'call a', 'call b', 'result a: saw a', 'result b: saw b', 'assistant: done'])
  })

  it('and is left out whole', async () => {
    const chat = await chatWith(user('go'), call('a'), user('next'), results('a'), assistant(text(20)), user('last'))
    const { receipt } = await chat.context({ policy: 'recency', budget: 45 })
    const left = receipt.lines.flatMap((line) => (line.type === 'left-out' ? line.sources.flatMap(seqsIn) : []))
    expect(left).toContain(2)
    expect(left).toContain(4)
  })

  it('if its id was used before: each result goes to its own call', async () => {
    const lines = await whole(user('go'), call('a'), results('a'), assistant('one'), user('again'), call('a'))
    expect(lines).toEqual([
      'user: go',
      'call a',
      'result a: saw a',
      'assistant: one',
      'user: again',
      'call a_2',
      'result a_2: [no result: interrupted]',
    ])
  })
})

describe('[ctx-7] what is open is closed in the context and not in the log', () => {
  it('at the end', async () => {
    expect(await whole(user('go'), call('a', 'b'), results('a'))).toEqual([
      'user: go',
      'call a b',
      'result a: saw a',
      'result b: [no result: interrupted]',
    ])
  })

  it('in the middle', async () => {
    expect(await whole(user('go'), call('a'), user('never mind'))).toEqual([
      'user: go',
      'call a',
      'result a: [no result: interrupted]',
      'user: never mind',
    ])
  })

  it('with arguments that were cut off', async () => {
    const torn = { role: 'assistant', toolCalls: [{ id: 'a', name: 'look', arguments: '{"at":"Par' }] } as const
    const chat = await chatWith(user('go'), torn)
    const context = await chat.context({ budget: 10_000 })
    expect(errorsIn(context)).toEqual([])
    const made = context.messages.flatMap(({ parts }) => parts.filter(({ type }) => type === 'tool-call'))
    expect(made).toMatchObject([{ id: 'a', arguments: expect.stringMatching(/^\{.*Par.*\}$/) }])
    expect(context.messages.at(-1)?.parts).toMatchObject([{ callId: 'a', outcome: 'interrupted' }])
    expect((await chat.history())[1]?.parts).toMatchObject([{ arguments: '{"at":"Par' }])
  })

  it('and a result without its call is quoted, not lost', async () => {
    const lines = await whole(user('go'), results('nobody'), assistant('done'))
    expect(lines).toHaveLength(3)
    expect(lines[1]).toContain('saw nobody')
    expect(lines[1]).toMatch(/^user: \[tool result without its call/)
  })
})

describe('[ctx-4] what the model has not answered', () => {
  it('is always there, also if the results came after another message', async () => {
    const chat = await chatWith(user(text(30)), call('a'), user('hurry'), results('a'))
    const context = await chat.context({ policy: 'recency', budget: 45 })
    expect(told(context.messages)).toEqual(['call a', 'result a: saw a', 'user: hurry'])
  })

  it('stays at the end, also if it is pinned', async () => {
    const chat = await chatWith(user('one'), assistant('two'), user('three'), call('a'), results('a'))
    const context = await chat.context({ budget: 1_000, pins: { tools: ['look'] } })
    expect(told(context.messages).at(-1)).toBe('result a: saw a')
  })

  it('is no longer waited for once a fold holds the answer', async () => {
    const chat = await chatWith(user('one'), call('a'), results('a'), assistant(text(60)), user('two'), assistant('ok'))
    await chat.remove((await chat.history())[5]?.id ?? '')
    const steps = [{ stage: 'drop' }] as const
    const policy = { name: 'drop', high: {}, low: { mark: { tokens: 30 } }, steps, advance: 'until-low' } as const
    await chat.compact({ policy, force: true, pins: { tools: ['look'] } })
    const { receipt } = await chat.context({ budget: 1_000, policy: 'recency' })
    expect(
      receipt.lines.flatMap((line) => (line.type === 'kept' && line.as === 'newest-turn' ? [line.seq] : [])),
    ).toEqual([5])
  })
})
