import { describe, expect, it } from 'vitest'

import type { MemoryEvent } from '../../src/api/events.ts'
import { lint } from '../../src/dialects/lint.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import type { Session } from '../../src/api/session.ts'
import type { ModelRequest } from '../../src/ports/language-model.ts'
import { FAULTS } from '../context/model/faults.ts'

const BUDGET = 3_000

async function fill(chat: Session): Promise<void> {
  for (let turn = 0; turn < 14; turn++) {
    await chat.append([
      { role: 'user', content: `Please check order ORD-${7000 + turn} in /var/log/orders-${turn}.log for me.` },
      {
        role: 'assistant',
        toolCalls: [{ id: `c${turn}`, name: 'read', arguments: { path: `/var/log/orders-${turn}.log` } }],
      },
      { role: 'tool', toolCallId: `c${turn}`, content: `Entry ${turn}: the parcel waits at the depot. `.repeat(40) },
      { role: 'assistant', content: `Order ORD-${7000 + turn} waits at the depot; I have told the carrier.` },
    ])
  }
}

const say = (text: string) => async (): Promise<{ text: string }> => ({ text })

function failuresIn(event: MemoryEvent): readonly string[] {
  if (event.type !== 'compaction-end' || event.outcome.type !== 'compacted') return []
  return event.outcome.receipt.steps.flatMap((step) => step.modelFailures)
}

describe('[prove-2] [sum-4] a model that fails inside a memory', () => {
  const budgets = [3_000, 2_200, 1_600]
  // Whether there is room depends on what is asked, which is not the model's fault.
  const faults = FAULTS.filter((fault) => fault.gives !== 'ok' && !fault.name.startsWith('no room')).flatMap((fault) =>
    budgets.map((budget) => ({ ...fault, budget })),
  )

  it('is scripted in at least 200 ways', () => expect(faults.length).toBeGreaterThanOrEqual(200))

  it.each(faults)(
    '$name: the log is unchanged, ≤ 2 calls, the context is valid, and an event says so',
    async (fault) => {
      const events: MemoryEvent[] = []
      let calls = 0
      const model = (request: ModelRequest): never => {
        calls += 1
        return fault.act(request, 'summarise-round') as never
      }
      await using memory = await openMemory(':memory:', {
        model,
        summaries: { deadlineMs: 20 },
        onEvent: (event) => events.push(event),
      })
      const chat = memory.scope('a').session('s')
      await fill(chat)
      expect(calls).toBe(0) // [sum-5] never inside append
      const before = await chat.history()
      const context = await chat.context({ budget: fault.budget })
      expect(calls).toBeLessThanOrEqual(2)
      expect(await chat.history()).toEqual(before)
      expect(context.tokens).toBeLessThanOrEqual(fault.budget)
      expect(lint(context.as('openai'), 'openai').filter(({ severity }) => severity === 'error')).toEqual([])
      expect(events.map((event) => event.type)).toEqual(['compaction-start', 'compaction-end'])
      if (calls > 0) expect(events.flatMap(failuresIn)).not.toEqual([])
      expect(await memory.verify()).toMatchObject({ ok: true })
    },
  )
})

describe('[sum-3] [sum-8] a model that works', () => {
  const answer = JSON.stringify({
    requests: ['Check the orders for me'],
    findings: ['All parcels wait at the depot'],
    status: 'complete',
  })

  it('is asked at most twice for one compaction, and events tell what each step did', async () => {
    const events: MemoryEvent[] = []
    let calls = 0
    await using memory = await openMemory(':memory:', {
      model: async () => {
        calls += 1
        return answer
      },
      onEvent: (event) => events.push(event),
    })
    const chat = memory.scope('a').session('s')
    await fill(chat)
    await chat.context({ budget: BUDGET })
    expect(calls).toBeLessThanOrEqual(2)
    const end = events.find((event) => event.type === 'compaction-end')
    if (end?.type !== 'compaction-end' || end.outcome.type !== 'compacted') throw new Error('expected a compaction')
    expect(end.ms).toBeGreaterThanOrEqual(0)
    for (const step of end.outcome.receipt.steps) {
      expect(step.tokensAfter).toBeLessThanOrEqual(step.tokensBefore)
      expect(step.folds > 0 || step.skipped !== undefined).toBe(true)
    }
    expect(end.outcome.receipt.steps.reduce((sum, step) => sum + step.modelCalls, 0)).toBe(calls)
  })

  it('[sum-5] is not waited for longer than its deadline', async () => {
    await using memory = await openMemory(':memory:', {
      model: () => new Promise<string>(() => undefined),
      summaries: { deadlineMs: 30 },
    })
    const chat = memory.scope('a').session('s')
    await fill(chat)
    expect((await chat.context({ budget: BUDGET })).tokens).toBeLessThanOrEqual(BUDGET)
  })

  it('is not asked beyond its spend limit, nor after an abort', async () => {
    for (const summaries of [{ callsPerHourMax: 0 }, { tokensPerHourMax: 1 }, { signal: AbortSignal.abort() }]) {
      let calls = 0
      const model = async (): Promise<string> => {
        calls += 1
        return answer
      }
      await using memory = await openMemory(':memory:', { model, summaries })
      const chat = memory.scope('a').session('s')
      await fill(chat)
      expect((await chat.context({ budget: BUDGET })).tokens).toBeLessThanOrEqual(BUDGET)
      expect(calls).toBe(0)
    }
  })

  it('a listener that throws harms nobody', async () => {
    await using memory = await openMemory(':memory:', {
      model: say(answer),
      onEvent: () => {
        throw new Error('listener')
      },
    })
    const chat = memory.scope('a').session('s')
    await fill(chat)
    expect((await chat.context({ budget: BUDGET })).messages.length).toBeGreaterThan(0)
  })
})
