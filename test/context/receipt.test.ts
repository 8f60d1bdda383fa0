import { describe, expect, it } from 'vitest'

import { openMemory } from '../../src/memory/open-memory.ts'
import { texts } from '../contract/subject.ts'

describe('[sum-7] the receipt of a compaction', () => {
  it('lists what could be seen before and cannot be seen after; what users named and errors said stays visible', async () => {
    await using memory = await openMemory(':memory:')
    const chat = memory.scope('a').session('s')
    // More names than a summary has room for: some must go.
    const parts = (turn: number): string =>
      Array.from({ length: 16 }, (_, part) => `/srv/hidden/of-${turn}/part-${part}.bin`).join(' ')
    for (let turn = 0; turn < 12; turn++) {
      await chat.append([
        { role: 'user', content: `Look at ticket TKT-${4000 + turn}, please.` },
        {
          role: 'assistant',
          toolCalls: [{ id: `c${turn}`, name: 'read', arguments: { path: `/srv/data/file-${turn}.csv` } }],
        },
        {
          role: 'tool',
          toolCallId: `c${turn}`,
          content: `row of numbers ${'12.5 kg; '.repeat(200)} ${parts(turn)} ${'and so on; '.repeat(100)}`,
        },
        { role: 'assistant', content: `Ticket TKT-${4000 + turn} is in order.` },
      ])
    }
    const outcome = await chat.compact({ budget: 6_000, force: true })
    if (outcome.type !== 'compacted') throw new Error('expected a compaction')
    const hidden = new Set(outcome.receipt.hidden.map((identifier) => identifier.text))
    const shown = texts(await chat.window()).join('\n')
    expect(hidden.size).toBeGreaterThan(0)
    for (const text of hidden) expect(shown).not.toContain(text)
    for (const identifier of outcome.receipt.hidden) expect(identifier.seqs.length).toBeGreaterThan(0)
    for (let turn = 0; turn < 12; turn++) expect(shown).toContain(`TKT-${4000 + turn}`)
    const [fold] = (await chat.window()).flatMap((item) => ('ledger' in item ? [item] : []))
    expect(fold?.ledger.every((identifier) => identifier.seqs.length > 0)).toBe(true)
  })
})

describe('[cmp-12] plans', () => {
  it('the state of the plan stands last, and is not stored', async () => {
    await using memory = await openMemory(':memory:')
    const chat = memory.scope('a').session('s')
    await chat.append({ role: 'user', content: 'Go on.' })
    const plan = {
      goal: 'Ship the release',
      steps: [
        { title: 'Write tests', state: 'done' },
        { title: 'Fix\nbugs', state: 'in-progress' },
        { title: 'Publish', state: 'todo' },
      ],
      outcome: 'A tagged version',
    } as const
    const context = await chat.context({ budget: 1_000, plan })
    expect(texts(context.messages)).toEqual([
      'Go on.',
      '[state of the plan] Ship the release\nDone: 1 of 3\nIn progress: Fix bugs\nTo do: Publish\nExpected outcome: A tagged version',
    ])
    expect(context.receipt.tokens.plan).toBeGreaterThan(0)
    expect(context.receipt.tokens.recalled).toBe(0)
    expect(await chat.count()).toBe(1)
    expect(texts((await chat.context({ budget: 1_000 })).messages)).toEqual(['Go on.'])
  })

  it('plan tools are not summarised', async () => {
    await using memory = await openMemory(':memory:')
    const chat = memory.scope('a').session('s')
    for (let turn = 0; turn < 10; turn++) {
      const name = turn === 2 ? 'create_plan' : 'read'
      await chat.append([
        { role: 'user', content: `Step ${turn}` },
        { role: 'assistant', toolCalls: [{ id: `c${turn}`, name, arguments: { turn } }] },
        { role: 'tool', toolCallId: `c${turn}`, name, content: `${name} says ${'a lot '.repeat(150)}` },
        { role: 'assistant', content: 'Done.' },
      ])
    }
    await chat.compact({ budget: 3_500, force: true })
    const kept = (await chat.window()).filter(
      (item) => 'parts' in item && item.parts.some((part) => part.type === 'tool-call' && part.name === 'create_plan'),
    )
    expect(kept).toHaveLength(1)
  })
})
