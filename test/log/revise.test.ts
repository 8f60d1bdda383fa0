import { describe, expect, it } from 'vitest'
import type { NewMessage } from '../../src/domain/new-message.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import type { Revision } from '../../src/api/messages.ts'
import type { Part } from '../../src/domain/part.ts'

async function revised(message: NewMessage, patch: Revision): Promise<readonly Part[]> {
  await using memory = await openMemory(':memory:')
  const chat = memory.scope('a').session('s')
  const [stored] = await chat.append(message)
  const answer = await chat.revise(stored?.id ?? '', patch)
  expect(await chat.get(answer.id)).toEqual(answer)
  return answer.parts
}

const thought = { type: 'reasoning', text: 'hm', provider: { anthropic: { signature: 's' } } } as const
const call = { type: 'tool-call', id: 'c', name: 'f', arguments: '{}' } as const

describe('[log-1] revise keeps what it is not told to change', () => {
  it('text leaves reasoning, calls and data alone', async () => {
    expect(
      await revised(
        { role: 'assistant', parts: [thought, { type: 'text', text: 'old' }, call, { type: 'text', text: 'more' }] },
        { content: 'new' },
      ),
    ).toEqual([thought, { type: 'text', text: 'new' }, call])
  })

  it('data, images and calls replace their own kind', async () => {
    expect(
      await revised(
        { role: 'assistant', content: 'text', data: { a: 1 }, toolCalls: [call] },
        { data: { b: 2 }, toolCalls: [{ id: 'c', name: 'f', arguments: { x: 1 } }] },
      ),
    ).toEqual([
      { type: 'text', text: 'text' },
      { type: 'data', kind: 'structured', data: { b: 2 } },
      { ...call, arguments: '{"x":1}' },
    ])
  })

  it("a tool message's text is the output of its one result", async () => {
    const result = {
      type: 'tool-result',
      callId: 'c',
      name: 'f',
      output: { type: 'text', text: 'long' },
      outcome: 'error',
      provider: { x: { y: 1 } },
    } as const
    expect(await revised({ role: 'tool', parts: [result] }, { content: 'short' })).toEqual([
      { ...result, output: { type: 'text', text: 'short' } },
    ])
    await expect(
      revised({ role: 'tool', parts: [result, { ...result, callId: 'd' }] }, { content: 'short' }),
    ).rejects.toMatchObject({ code: 'input/invalid' })
  })

  it('parts replace everything', async () => {
    expect(
      await revised({ role: 'assistant', parts: [thought, call] }, { parts: [{ type: 'text', text: 'only' }] }),
    ).toEqual([{ type: 'text', text: 'only' }])
  })

  it('a call id that the message did not have is refused', async () => {
    await expect(
      revised({ role: 'assistant', toolCalls: [call] }, { toolCalls: [{ ...call, id: 'new' }] }),
    ).rejects.toMatchObject({ code: 'input/invalid' })
  })

  it('what cannot be stored is refused, not copied into something that can', async () => {
    class Custom {
      readonly own = true
    }
    for (const metadata of [{ f: () => 1 }, new Custom(), { deep: new Custom() }]) {
      await expect(
        revised({ role: 'user', content: 'x' }, { metadata: metadata as unknown as Record<string, never> }),
      ).rejects.toMatchObject({
        code: 'input/invalid',
      })
    }
  })
})
