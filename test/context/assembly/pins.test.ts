import { describe, expect, it } from 'vitest'
import type { Policy } from '../../../src/api/policy.ts'
import type { Pins } from '../../../src/api/contexts.ts'
import type { NewMessage } from '../../../src/domain/new-message.ts'
import { assistant, chatWith, system, text, told, user } from './chat.ts'

const foldAll: Policy = {
  name: 'fold all',
  high: {},
  low: {},
  steps: [
    { stage: 'offload', overCharacters: 40, previewCharacters: 10 },
    { stage: 'summarise', unit: 'range', tokensMax: 40 },
    { stage: 'drop' },
  ],
  advance: 'until-low',
}

function use(tool: string, id: string): readonly NewMessage[] {
  return [
    { role: 'assistant', toolCalls: [{ id, name: tool, arguments: { of: id } }] },
    { role: 'tool', toolCallId: id, name: tool, content: `${id} ${text(30)}` },
    assistant(`done ${id}`),
  ]
}

describe('[cmp-12] [ctx-4] pins', () => {
  it('by tag, which may be set before or after: the message stands in every context, in front', async () => {
    const chat = await chatWith(
      system('be kind'),
      user(`my address ${text(30)}`, { tags: ['pinned'] }),
      assistant('noted'),
      user(`later ${text(30)}`),
      assistant('fine'),
      user('now'),
    )
    await chat.compact({ policy: foldAll, force: true })
    const first = await chat.context({ budget: 200, policy: 'recency' })
    expect(told(first.messages)[1]).toContain('my address')
    expect(first.receipt.tokens.pinned).toBe(35)

    const [, , , later] = await chat.history()
    await chat.revise(later?.id ?? '', { tags: ['pinned'] })
    const lines = told((await chat.context({ budget: 200, policy: 'recency' })).messages)
    expect(lines.slice(1, 3)).toEqual([expect.stringContaining('my address'), expect.stringContaining('later')])
  })

  it('by message, also one that was folded before: its fold is opened', async () => {
    const chat = await chatWith(
      user(`first ${text(30)}`),
      assistant(text(30)),
      user(`second ${text(30)}`),
      assistant('ok'),
      user('now'),
    )
    const [first] = await chat.history()
    const unpinned = await chat.context({ budget: 300, policy: 'recency' })
    await chat.compact({ policy: foldAll, force: true })
    expect((await chat.window()).some((entry) => 'seq' in entry && entry.seq === 1)).toBe(false)
    const pins = { messages: [first?.id ?? ''] }
    const context = await chat.context({ budget: 300, policy: 'recency', pins })
    expect(told(context.messages)[0]).toBe(told(unpinned.messages)[0])
    expect(context.receipt.lines[0]).toMatchObject({ type: 'kept', seq: 1, as: 'pinned' })
    // Compacting again keeps it, so that the next context need not open anything.
    await chat.compact({ policy: foldAll, force: true, pins })
    expect((await chat.window()).some((entry) => 'seq' in entry && entry.seq === 1)).toBe(true)
  })

  it('by tool: call and result stay whole and together', async () => {
    const chat = await chatWith(user('go'), ...use('lookup', 'a'), ...use('search', 'b'), user('now'))
    await chat.compact({ policy: foldAll, force: true, pins: { tools: ['lookup'] } })
    const kept = (await chat.window()).flatMap((entry) => ('seq' in entry ? [entry.seq] : []))
    expect(kept).toContain(2)
    expect(kept).toContain(3)
    expect(kept).not.toContain(6)
  })

  it('by tag or tool, said only after their messages were folded: the folds are opened', async () => {
    const chat = await chatWith(
      user(`our address ${text(30)}`, { tags: ['address'] }),
      ...use('measure', 'm1'),
      user(`later ${text(30)}`),
      assistant('fine'),
      user('now'),
    )
    await chat.compact({ policy: foldAll, force: true })
    await chat.compact({ policy: foldAll, force: true })
    const shown = async (pins: Pins): Promise<string> =>
      told((await chat.context({ budget: 400, policy: 'recency', pins })).messages).join('\n')
    expect(await shown({})).not.toContain(`our address ${text(30)}`)
    expect(await shown({ tags: ['address'] })).toContain(`our address ${text(30)}`)
    expect(await shown({ tools: ['measure'] })).toContain(`m1 ${text(30)}`)
    expect(await shown({ tags: ['other'], tools: ['other'] })).toBe(await shown({}))
  })

  it('leave out no word of the newest question, wherever it stands', async () => {
    const chat = await chatWith(user('old'), assistant('answer'), user('the question', { tags: ['pinned'] }))
    const context = await chat.context({ budget: 100, policy: 'recency' })
    expect(told(context.messages)).toEqual(['user: old', 'assistant: answer', 'user: the question'])
  })

  it('too large together: an error that says so', async () => {
    const chat = await chatWith(user(text(50), { tags: ['pinned'] }), assistant('ok'), user('now'))
    await expect(chat.context({ budget: 40 })).rejects.toMatchObject({
      code: 'context/over-budget',
      details: { pinned: 53, newestTurn: 4 },
    })
  })
})

describe('[cmp-12] exempt tools and plan tools', () => {
  it('are never shortened or summarised', async () => {
    const chat = await chatWith(
      user('go'),
      ...use('ledger', 'a'),
      ...use('update_plan_info', 'b'),
      ...use('search', 'c'),
      user('now'),
    )
    const words: Policy = { ...foldAll, steps: foldAll.steps.slice(0, 2) }
    await chat.compact({ policy: words, force: true, pins: { exemptTools: ['ledger'] } })
    const kept = (await chat.window()).flatMap((entry) => ('seq' in entry ? [entry.seq] : []))
    expect(kept).toEqual(expect.arrayContaining([2, 3, 5, 6]))
    expect(kept).not.toContain(9)
  })

  it('may leave the window when they are old', async () => {
    const chat = await chatWith(user('go'), ...use('ledger', 'a'), user('then'), assistant('well'), user('now'))
    const dropping: Policy = { ...foldAll, steps: [{ stage: 'drop' }] }
    await chat.compact({ policy: dropping, force: true, pins: { exemptTools: ['ledger'] } })
    expect((await chat.window()).flatMap((entry) => ('seq' in entry ? [entry.seq] : []))).not.toContain(2)
  })
})
