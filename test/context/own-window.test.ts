import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Memory } from '../../src/api/memory.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import type { Session } from '../../src/api/session.ts'
import { seqsIn } from '../property/context-checks.ts'

let memory: Memory
let sessions = 0
beforeAll(async () => {
  memory = await openMemory(':memory:')
})
afterAll(() => memory.close())

async function longChat(turns = 40): Promise<Session> {
  const chat = memory.scope('acme').session(`s${++sessions}`)
  for (let turn = 0; turn < turns; turn++)
    await chat.append([
      { role: 'user', content: `Question ${turn} about parcels and what became of them. ${'word '.repeat(30)}` },
      { role: 'assistant', content: `Answer ${turn}: it was delivered. ${'word '.repeat(30)}` },
    ])
  return chat
}

describe('what a context folds', () => {
  it('[contexts-5] is for its own kind of call: a small side call leaves everything to the large one', async () => {
    const chat = await longChat()
    await chat.context({ budget: 1_500 })
    expect((await chat.context({ budget: 128_000 })).messages).toHaveLength(80)
    expect(await chat.window()).toHaveLength(80)
  })

  it('[contexts-6] is listed, not shown by the window, and undone by its name', async () => {
    const chat = await longChat()
    const before = await chat.context({ budget: 1_500, policy: 'recency' })
    const folded = await chat.context({ budget: 1_500 })
    const [listed, ...others] = await chat.compactions()
    expect(others).toEqual([])
    expect(listed).toMatchObject({ of: 'context', policy: 'balanced', room: 1_500, undone: false, through: 80 })
    expect(listed?.folds.length).toBeGreaterThan(0)
    expect((await chat.context({ budget: 1_500 })).messages).toEqual(folded.messages)
    await expect(chat.undo()).rejects.toMatchObject({ code: 'context/not-found' })
    expect(await chat.undo(listed?.compaction)).toEqual([listed?.compaction])
    expect(await chat.compactions()).toMatchObject([{ undone: true }])
    // Whoever took it back does not want the same again at once.
    expect((await chat.context({ budget: 1_500 })).messages).toEqual(before.messages)
    await chat.append({ role: 'user', content: 'one more' })
    expect((await chat.context({ budget: 1_500 })).receipt.lines.some(({ type }) => type === 'folded')).toBe(true)
  })

  it('[contexts-6] is built on what `compact` did, and goes with it when that is undone', async () => {
    const chat = await longChat()
    const first = await chat.context({ budget: 1_500 })
    const outcome = await chat.compact({ budget: 6_000, force: true })
    const name = outcome.type === 'compacted' ? outcome.receipt.compaction : null
    expect((await chat.window()).length).toBeLessThan(80)
    await chat.append({ role: 'user', content: 'one more' })
    await chat.context({ budget: 1_500 })
    const listed = await chat.compactions()
    expect(listed.map(({ of }) => of)).toEqual(['context', 'session', 'context'])
    expect(await chat.undo()).toEqual([listed[0]?.compaction, name])
    expect(await chat.window()).toHaveLength(81)
    const again = await chat.context({ budget: 1_500 })
    expect(again.messages.slice(0, 2)).toEqual(first.messages.slice(0, 2))
  })

  it('[contexts-5] of a larger budget serves a smaller one, never the other way round', async () => {
    const chat = await longChat()
    await chat.context({ budget: 4_000 })
    await chat.context({ budget: 1_500 })
    const rooms = (await chat.compactions()).map(({ room }) => room)
    expect(rooms).toEqual([1_500, 4_000])
    const large = await chat.context({ budget: 4_000 })
    expect(large.tokens).toBeGreaterThan(1_500)
  })
})

describe('reading', () => {
  it('[contexts-7] stores nothing with `compact: false`, and still folds', async () => {
    const chat = await longChat()
    const before = JSON.stringify([await chat.stats(), await chat.history(), await chat.compactions()])
    const context = await chat.context({ budget: 1_500, compact: false })
    expect(context.tokens).toBeLessThanOrEqual(1_500)
    const folds = context.receipt.lines.filter((line) => line.type === 'folded')
    expect(folds.length).toBeGreaterThan(0)
    for (const line of folds) {
      const { text } = await chat.reopen(line.fold, { limit: 1_000_000 })
      expect(text).toContain(`[${line.sources[0]?.from}]`)
    }
    expect(JSON.stringify([await chat.stats(), await chat.history(), await chat.compactions()])).toBe(before)
    const stored = await chat.context({ budget: 1_500 })
    expect(stored.receipt.lines.map(({ type }) => type)).toEqual(context.receipt.lines.map(({ type }) => type))
  })

  it('[contexts-8] finds by its place whatever a context leaves out', async () => {
    const chat = await longChat()
    const { receipt } = await chat.context({ budget: 800, policy: 'recency' })
    const left = receipt.lines.filter((line) => line.type === 'left-out')
    const seqs = left.flatMap(({ sources }) => sources.flatMap(seqsIn))
    expect(seqs.length).toBeGreaterThan(50)
    // One id for all that is left out in a row.
    expect(left).toHaveLength(1)
    for (const { why, id = '' } of left) {
      expect(why).toBe('over-budget')
      const { text } = await chat.reopen(id, { limit: 1_000_000 })
      for (const seq of seqs) expect(text).toContain(`[${seq}] `)
    }
    for (const seq of seqs.slice(0, 3)) expect((await chat.reopen(`message-${seq}`)).text).toContain(`[${seq}] `)
  })
})
