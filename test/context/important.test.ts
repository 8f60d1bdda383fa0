import { describe, expect, it } from 'vitest'
import type { Policy } from '../../src/api/policy.ts'
import type { Session } from '../../src/api/session.ts'
import { balanced } from '../../src/context/policies/balanced.ts'
import { recency } from '../../src/context/policies/recency.ts'
import { rolling } from '../../src/context/policies/rolling.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import { texts } from '../contract/subject.ts'

const FILLER = 'and so on and on '.repeat(12)

async function talk(
  chat: Session,
  turns: number,
  important: readonly number[] = [],
  flag: unknown = true,
): Promise<void> {
  for (let turn = 0; turn < turns; turn++)
    await chat.append([
      {
        role: 'user',
        id: `q${turn}`,
        content: `Question ${turn} ${FILLER}`,
        ...(important.includes(turn) ? { metadata: { important: flag as boolean } } : {}),
      },
      { role: 'assistant', id: `a${turn}`, content: `Reply ${turn} ${FILLER}` },
    ])
}

async function seen(
  chat: Session,
  policy: Policy,
  budget = 3_000,
): Promise<{ readonly text: string; readonly kept: readonly string[] }> {
  const context = await chat.context({ budget, policy })
  expect(context.tokens).toBeLessThanOrEqual(budget)
  const kept = context.receipt.lines.flatMap((line) =>
    line.type === 'kept' && line.as === 'important' ? [line.id] : [],
  )
  return { text: texts(context.messages).join('\n'), kept }
}

describe('[contexts-63] important messages', () => {
  it.each([recency(), balanced(), rolling({ keep: 6, at: 12 })])(
    'stay whole under $name although they are old, and the receipt says why',
    async (policy) => {
      await using memory = await openMemory(':memory:', { learn: false })
      const chat = memory.scope('a').session('s')
      await talk(chat, 40, [3])
      const { text, kept } = await seen(chat, policy)
      expect(kept).toEqual(['q3'])
      expect(text).toContain(`Question 3 ${FILLER}`)
      expect(text).toContain('Question 39')
      // As without: the same policy with no weight for importance.
      const without = await seen(chat, { ...policy, importance: 0 })
      expect(without.kept).toEqual([])
      expect(without.text).not.toContain(`Question 3 ${FILLER}`)
    },
  )

  it('have the share that the policy states, the newest first, and the rest is for what is recent', async () => {
    await using memory = await openMemory(':memory:', { learn: false })
    const chat = memory.scope('a').session('s')
    await talk(
      chat,
      60,
      Array.from({ length: 40 }, (_, turn) => turn),
    )
    const small = await seen(chat, { ...recency(), importance: 0.1 })
    const large = await seen(chat, { ...recency(), importance: 0.4 })
    expect(small.kept.length).toBeGreaterThan(0)
    expect(large.kept.length).toBeGreaterThan(small.kept.length)
    expect(large.kept).toContain('q39')
    expect(large.kept).not.toContain('q0')
    for (const { text } of [small, large]) expect(text).toContain('Question 59')
  })

  it('stay in the window when it is compacted by hand', async () => {
    await using memory = await openMemory(':memory:', { learn: false })
    const chat = memory.scope('a').session('s')
    await talk(chat, 30, [3])
    await chat.compact({ policy: rolling({ keep: 6, at: 12 }) })
    expect(texts(await chat.window()).join('\n')).toContain(`Question 3 ${FILLER}`)
    expect(texts(await chat.window()).join('\n')).not.toContain(`Question 4 ${FILLER}`)
  })

  it('are those with true, and nothing else', async () => {
    await using memory = await openMemory(':memory:', { learn: false })
    const chat = memory.scope('a').session('s')
    await talk(chat, 60, [3], 'true')
    expect((await seen(chat, recency())).kept).toEqual([])
    await expect(chat.context({ budget: 3_000, policy: { ...recency(), importance: 2 } })).rejects.toThrow(
      'a share from 0 to 1',
    )
  })

  it('never keep a context from being built', async () => {
    await using memory = await openMemory(':memory:', { learn: false })
    const chat = memory.scope('a').session('s')
    await talk(
      chat,
      12,
      Array.from({ length: 12 }, (_, turn) => turn),
    )
    for (const budget of [330, 500, 900]) await seen(chat, { ...balanced(), importance: 1 }, budget)
  })
})
