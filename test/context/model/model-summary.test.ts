import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'

import { summariseWithModel } from '../../../src/context/model/model-summary.ts'
import { MockLanguageModelV4 } from 'ai/test'
import { quotedBlock } from '../../../src/context/summary/quoted-block.ts'
import { FOLD_ID } from '../../../src/context/summary/marker.ts'
import { Spend } from '../../../src/model/spend.ts'
import { toLanguageModel } from '../../../src/providers/language-model.ts'
import {
  PROMPT_NAMES,
  answering,
  clock,
  count,
  goodAnswer,
  identifiers,
  limits,
  message,
  question,
  result,
  say,
  scripted,
  turn,
} from './scene.ts'

const GOOD = JSON.stringify(goodAnswer('summarise-round'))
const usage = { inputTokens: 100, outputTokens: 20 }

/** How many timers of this length were set and not cleared. Other tests of this process may set timers meanwhile. */
function timersLeft(ms: number): () => number {
  const set = vi.spyOn(globalThis, 'setTimeout')
  const cleared = vi.spyOn(globalThis, 'clearTimeout')
  return () => {
    const ours = set.mock.results.filter((_, call) => set.mock.calls[call]?.[1] === ms)
    expect(ours.length).toBeGreaterThan(0)
    return ours.filter(({ value }) => !cleared.mock.calls.some(([timer]) => timer === value)).length
  }
}

describe('a summary by a model', () => {
  it('is written from the fields of the answer, the same each time', async () => {
    const summary = await summariseWithModel(question(scripted(answering(GOOD, { usage }))), limits())
    const text = [
      'Requests:',
      '- The user asked why order 7731 was late.',
      'Answers:',
      '- I read src/orders/ship.ts and ran the tests.',
      'Decisions:',
      '- The test failed with ECONNRESET at line 42.',
    ].join('\n')
    expect(summary).toEqual({
      ok: true,
      text,
      standIn: [say('user', quotedBlock(text.split('\n')))],
      usage,
      calls: 1,
      ms: 0,
    })
  })

  it.each(PROMPT_NAMES)('is asked for in the fields of %s, under a schema that strict providers take', async (name) => {
    const model = scripted(answering(JSON.stringify(goodAnswer(name))))
    const summary = await summariseWithModel(question(model, { prompt: { name, tokensMax: 120 } }), limits())
    expect(summary).toMatchObject({ ok: true, calls: 1 })
    const [request] = model.asked
    const keys = Object.keys(goodAnswer(name))
    expect(request?.schema).toMatchObject({ type: 'object', required: keys, additionalProperties: false })
    for (const key of keys) expect(request?.system).toContain(`"${key}"`)
    expect(request?.tokensMax).toBeGreaterThan(120)
  })

  it('goes through a model of the AI SDK', async () => {
    const model = new MockLanguageModelV4({
      doGenerate: {
        content: [{ type: 'text', text: GOOD }],
        finishReason: { unified: 'stop', raw: 'stop' },
        usage: {
          inputTokens: { total: 7, noCache: 7, cacheRead: 0, cacheWrite: 0 },
          outputTokens: { total: 3, text: 3, reasoning: 0 },
        },
        warnings: [],
      },
    })
    const summary = await summariseWithModel(question(toLanguageModel(model)), limits())
    expect(summary).toMatchObject({ ok: true, usage: { inputTokens: 7, outputTokens: 3 } })
    expect(model.doGenerateCalls).toHaveLength(1)
  })

  it('keeps to one line an item, so that no item looks like a heading', async () => {
    const answer = JSON.stringify({ findings: ['one\n\nRequests:\r\n- two\u2028three', '- dashed', 'dashed'] })
    const summary = await summariseWithModel(question(scripted(answering(answer)), { identifiers: [] }), limits())
    expect(summary).toMatchObject({ text: 'Findings:\n- one Requests: - two three\n- dashed' })
  })

  it('gets the names that must stay visible and were left out', async () => {
    const answer = JSON.stringify({ findings: ['Order 17731 and order 77312 were not meant.'] })
    const wide = [...turn(), message(7, say('user', 'Not order 17731, not order 77312.'))]
    const summary = await summariseWithModel(question(scripted(answering(answer)), { entries: wide }), limits())
    expect(summary).toMatchObject({
      ok: true,
      text: 'Findings:\n- Order 17731 and order 77312 were not meant.\nKept: order 7731; src/orders/ship.ts; ECONNRESET at line 42',
    })
  })

  it('takes the place of the longest text of the stand-in and leaves its structure', async () => {
    const stub = {
      role: 'tool' as const,
      metadata: { a: 1 },
      parts: [
        { type: 'tool-result' as const, callId: 'c1', name: 'ls', output: { type: 'text' as const, text: 'short' } },
        {
          type: 'tool-result' as const,
          callId: 'c2',
          name: 'cat',
          output: { type: 'json' as const, value: { head: 'a long beginning' } },
          outcome: 'error' as const,
        },
      ],
    }
    const summary = await summariseWithModel(question(scripted(answering(GOOD)), { standIn: [stub] }), limits())
    if (!summary.ok) throw new Error(summary.reason)
    expect(summary.standIn).toEqual([
      { ...stub, parts: [stub.parts[0], { ...stub.parts[1], output: { type: 'text', text: summary.text } }] },
    ])
  })

  it('keeps the markers of the stand-in, and leaves a longer text alone that has none', async () => {
    const marker = `[summary of 6 messages, 2025-01-01 00:00, reopen ${FOLD_ID}]`
    const standIn = [
      { role: 'user' as const, parts: [{ type: 'text' as const, text: `${marker}\nSaid: this and that.` }] },
      say('user', 'kept as it was '.repeat(20)),
    ]
    const entries = [...turn(), message(7, result('more '.repeat(200)))]
    const summary = await summariseWithModel(question(scripted(answering(GOOD)), { standIn, entries }), limits())
    if (!summary.ok) throw new Error(summary.reason)
    expect(summary.standIn).toEqual([say('user', `${marker}\n${quotedBlock(summary.text.split('\n'))}`), standIn[1]])
  })

  it('cannot hold a marker of its own', async () => {
    const answer = JSON.stringify({ findings: [`Then [summary of 9 messages, reopen ${FOLD_ID}] came.`] })
    const summary = await summariseWithModel(question(scripted(answering(answer)), { identifiers: [] }), limits())
    expect(summary).toMatchObject({ text: 'Findings:\n- Then (summary of 9 messages, reopen (fold-id)] came.' })
  })

  it('stands as a message of its own where the rule shows no text', async () => {
    const summary = await summariseWithModel(question(scripted(answering(GOOD)), { standIn: [] }), limits())
    expect(summary).toMatchObject({ ok: true, standIn: [{ role: 'user', parts: [{ type: 'text' }] }] })
  })

  it('is not asked for when it could not be shorter, or could not name what it must', async () => {
    const model = scripted(answering(GOOD))
    const tiny = [message(1, say('user', ''))].map((entry) =>
      entry.type === 'message' ? { ...entry, message: { ...entry.message, tokens: 1 } } : entry,
    )
    expect(await summariseWithModel(question(model, { entries: tiny }), limits())).toMatchObject({ reason: 'longer' })
    expect(
      await summariseWithModel(question(model, { prompt: { name: 'merge-tools', tokensMax: 8 } }), limits()),
    ).toMatchObject({ reason: 'lost-identifiers', calls: 0 })
    expect(
      await summariseWithModel(question(model, { prompt: { name: 'merge-tools', tokensMax: Number.NaN } }), limits()),
    ).toMatchObject({ reason: 'longer', calls: 0 })
    expect(model.asked).toEqual([])
  })

  it('must be smaller than what it stands for, however much it may cost', async () => {
    const entries = [message(1, say('user', 'Order 7731 is late.'))]
    const summary = await summariseWithModel(
      question(scripted(answering(GOOD)), {
        entries,
        identifiers: [],
        prompt: { name: 'summarise-round', tokensMax: 5_000 },
      }),
      limits(),
    )
    expect(summary).toMatchObject({ ok: false, reason: 'longer', calls: 2 })
  })

  it('survives a counter that fails', async () => {
    const broken = (): never => {
      throw new Error('no count')
    }
    expect(await summariseWithModel(question(scripted(answering(GOOD)), { count: broken }), limits())).toMatchObject({
      ok: false,
      reason: 'failed',
      detail: 'Error: no count',
      calls: 0,
    })
  })
})

describe('the second call', () => {
  it('says what was wrong with the first answer, and adds up what both cost', async () => {
    const model = scripted(answering('prose', { usage }), answering(GOOD, { usage: { outputTokens: 5 } }))
    const summary = await summariseWithModel(question(model), limits())
    expect(summary).toMatchObject({ ok: true, calls: 2, usage: { inputTokens: 100, outputTokens: 25 } })
    const [first, second] = model.asked
    expect(second?.system).toBe(first?.system)
    expect(second?.prompt.startsWith(first?.prompt ?? '-')).toBe(true)
    expect(second?.prompt).toContain('not one complete JSON object')
    expect(second?.prompt).not.toContain('prose')
  })

  it('names what was invented, quoted', async () => {
    const lying = JSON.stringify({ findings: ['I opened https://evil.example/</record>'] })
    const model = scripted(answering(lying), answering(GOOD))
    expect(await summariseWithModel(question(model), limits())).toMatchObject({ ok: true, calls: 2 })
    expect(model.asked[1]?.prompt).toContain('["https://evil.example/"]')
  })

  it('repeats the question as it was after an error of the network', async () => {
    const model = scripted(() => Promise.reject(new Error('ECONNRESET')), answering(GOOD))
    expect(await summariseWithModel(question(model), limits())).toMatchObject({ ok: true, calls: 2 })
    expect(model.asked[1]?.prompt).toBe(model.asked[0]?.prompt)
  })

  it('is not made once the deadline has passed or the caller has left', async () => {
    const controller = new AbortController()
    const model = scripted(async () => {
      controller.abort()
      return { text: 'prose' }
    })
    expect(await summariseWithModel(question(model), limits({ signal: controller.signal }))).toMatchObject({
      reason: 'aborted',
      calls: 1,
    })
    expect(model.asked).toHaveLength(1)
  })

  it('shares the deadline of the first', async () => {
    vi.useFakeTimers()
    const left = timersLeft(1_001)
    try {
      const model = scripted(
        () => new Promise((resolve) => void setTimeout(() => resolve({ text: 'prose' }), 600)),
        () => new Promise((resolve) => void setTimeout(() => resolve({ text: GOOD }), 600)),
      )
      const pending = summariseWithModel(question(model), limits({ deadlineMs: 1_001, clock: Date }))
      await vi.advanceTimersByTimeAsync(1_001)
      expect(await pending).toMatchObject({ ok: false, reason: 'timeout', calls: 2, ms: 1_001 })
      expect(model.asked.map(({ signal }) => signal.aborted)).toEqual([true, true])
      expect(left()).toBe(0)
    } finally {
      vi.restoreAllMocks()
      vi.useRealTimers()
    }
  })
})

describe('waiting', () => {
  it('leaves no timer and no listener behind', async () => {
    vi.useFakeTimers()
    const left = timersLeft(1_001)
    try {
      const controller = new AbortController()
      const added = vi.spyOn(controller.signal, 'addEventListener')
      const removed = vi.spyOn(controller.signal, 'removeEventListener')
      await summariseWithModel(
        question(scripted(answering(GOOD))),
        limits({ signal: controller.signal, deadlineMs: 1_001 }),
      )
      expect(left()).toBe(0)
      expect(removed.mock.calls.length).toBe(added.mock.calls.length)
    } finally {
      vi.restoreAllMocks()
      vi.useRealTimers()
    }
  })

  it('ends also while the record is counted, and no model is called then', async () => {
    const unhandled: unknown[] = []
    const remember = (reason: unknown): void => void unhandled.push(reason)
    process.on('unhandledRejection', remember)
    const model = scripted(answering(GOOD))
    const slowly = async (text: string): Promise<number> => {
      await sleep(5)
      return count(text)
    }
    const summary = await summariseWithModel(question(model, { count: slowly }), limits({ deadlineMs: 2 }))
    await sleep(5)
    process.off('unhandledRejection', remember)
    expect(summary).toMatchObject({ reason: 'timeout', calls: 0 })
    expect(model.asked).toEqual([])
    expect(unhandled).toEqual([])
  })

  it('may be for longer than a timer can run', async () => {
    const summary = await summariseWithModel(question(scripted(answering(GOOD))), limits({ deadlineMs: Infinity }))
    expect(summary.ok).toBe(true)
  })

  it('tells the model when the caller leaves', async () => {
    const controller = new AbortController()
    const model = scripted(() => {
      queueMicrotask(() => controller.abort(new Error('enough')))
      return new Promise(() => undefined)
    })
    expect(await summariseWithModel(question(model), limits({ signal: controller.signal }))).toMatchObject({
      reason: 'aborted',
      calls: 1,
    })
    expect(model.asked[0]?.signal.reason).toEqual(new Error('enough'))
  })
})

describe('the spend limit', () => {
  it('allows so many calls', async () => {
    const spend = new Spend({ callsMax: 2 }, clock)
    const ask = () => summariseWithModel(question(scripted(answering(GOOD))), limits({ spend }))
    expect((await ask()).ok).toBe(true)
    expect((await ask()).ok).toBe(true)
    expect(await ask()).toMatchObject({ ok: false, reason: 'over-spend', calls: 0 })
  })

  it('stops the second call, and the first one’s fault is reported', async () => {
    const spend = new Spend({ callsMax: 1 }, clock)
    const model = scripted(answering('prose'))
    expect(await summariseWithModel(question(model), limits({ spend }))).toMatchObject({
      ok: false,
      reason: 'unparsable',
      calls: 1,
    })
  })

  it('counts what was reported, else what was said', async () => {
    const taken: number[] = []
    for (const more of [{ usage }, {}]) {
      const spend = new Spend({}, clock)
      const settle = vi.spyOn(spend, 'settle')
      const model = scripted(answering(GOOD, more))
      await summariseWithModel(question(model), limits({ spend }))
      taken.push(settle.mock.calls[0]?.[1] ?? 0)
      const [request] = model.asked
      if (request !== undefined) taken.push(count(request.system) + count(request.prompt) + count(GOOD))
    }
    expect(taken[0]).toBe(120)
    expect(taken[2]).toBe(taken[3])
  })

  it('keeps the bound of a call that was left behind', async () => {
    const spend = new Spend({ tokensMax: 10_000 }, clock)
    const settle = vi.spyOn(spend, 'settle')
    const hanging = scripted(() => new Promise(() => undefined))
    await summariseWithModel(question(hanging), limits({ spend, deadlineMs: 2 }))
    expect(settle).not.toHaveBeenCalled()
    expect(spend.take(9_500)).toBeUndefined()
  })

  it('holds for calls at the same time', async () => {
    const spend = new Spend({ tokensMax: 3_000 }, clock)
    const models = Array.from({ length: 5 }, () => scripted(answering(GOOD, { usage })))
    const summaries = await Promise.all(models.map((model) => summariseWithModel(question(model), limits({ spend }))))
    expect(summaries.filter(({ ok }) => ok)).toHaveLength(1)
    expect(models.reduce((sum, { asked }) => sum + asked.length, 0)).toBe(1)
  })

  it('is given back with time', () => {
    const time = { at: 0, now: () => time.at }
    const spend = new Spend({ callsMax: 1, tokensMax: 10, perMs: 1_000 }, time)
    expect(spend.take(11)).toBeUndefined()
    expect(spend.take(10)).toBeDefined()
    time.at = 999
    expect(spend.take(0)).toBeUndefined()
    time.at = 1_000
    expect(spend.take(10)).toBeDefined()
    // A clock that steps back gives nothing back.
    time.at = 0
    expect(spend.take(0)).toBeUndefined()
  })

  it('of nothing allows nothing', async () => {
    const model = scripted(answering(GOOD))
    for (const limit of [{ callsMax: 0 }, { tokensMax: 0 }])
      expect(await summariseWithModel(question(model), limits({ spend: new Spend(limit, clock) }))).toMatchObject({
        reason: 'over-spend',
      })
    expect(model.asked).toEqual([])
  })

  it.each([[{ callsMax: -1 }], [{ tokensMax: Number.NaN }], [{ perMs: '1h' as unknown as number }]])(
    'is refused: %j',
    (limit) => {
      expect(() => new Spend(limit, clock)).toThrow(/Cannot limit what models may cost/)
    },
  )
})

describe('checks', () => {
  const judge = async (items: readonly string[], ...said: readonly string[]): Promise<string> => {
    const entries = [...turn(), ...said.map((text, index) => message(7 + index, say('user', text)))]
    const summary = await summariseWithModel(
      question(scripted(answering(JSON.stringify({ findings: items }))), { entries, identifiers: [] }),
      limits(),
    )
    return summary.ok ? 'ok' : summary.reason
  }

  it.each([
    ['grouped digits', ['It cost 12,000 in all.'], ['It cost 12000.']],
    ['a path out of JSON', ['I read C:\\logs\\a.txt.'], ['{"path":"C:\\\\logs\\\\a.txt"}']],
    ['another case', ['I read README.md in DOCS/readme.md.'], ['docs/README.md']],
    ['a path from here', ['I read ./src/orders/ship.ts.'], []],
    ['words with a slash', ['I could read and/or write, 24/7, on client/server.'], []],
    ['small numbers', ['I made 3 changes in 120 lines.'], []],
    ['an apology among other things', ['The user said: sorry.', 'I cannot process order 7731 yet.'], []],
    ['what the user ordered', ['The user told me to ignore the previous instructions.'], []],
    ['a tag that was talked about', ['I closed the <user> element.'], ['Close the <user> element.']],
    ['a system that is none', ['System: Ubuntu.'], []],
    [
      'two languages',
      ['用户询问订单为什么又迟到了，我检查了代码并运行了测试，承运商断开了。'],
      ['为什么又迟到了？请检查代码。'],
    ],
  ])('let pass: %s', async (_, items, said) => {
    expect(await judge(items, ...said)).toBe('ok')
  })

  it('take no longer for hostile text', async () => {
    const entries = [message(1, result('a1/'.repeat(50_000)))]
    for (const piece of ['a', 'a1', 'a/', '/a', '1,', 'a.', 'a@', '@a.', '<', '0a', ' i cannot ', 'https://']) {
      const answer = JSON.stringify({ findings: [piece.repeat(20_000 / piece.length)] })
      const summary = await summariseWithModel(
        question(scripted(answering(answer)), {
          entries,
          identifiers: identifiers().filter(({ vital }) => !vital),
          prompt: { name: 'merge-tools', tokensMax: 50_000 },
        }),
        limits(),
      )
      expect(summary.calls).toBeLessThanOrEqual(2)
    }
  })
})
