import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { visibleIn } from '../../../src/context/summary/ledger.ts'
import { linesWithBlocks } from '../../../src/context/summary/quoted-block.ts'
import { type ModelSummary, summariseWithModel } from '../../../src/context/model/model-summary.ts'
import { messageText } from '../../../src/log/message-text.ts'
import { FAULTS, type Fault } from './faults.ts'
import { PROMPT_NAMES, type PromptName, VITAL, count, limits, question, scripted, turn } from './scene.ts'

const TOKENS_MAX = 120

const unhandled: unknown[] = []
const remember = (reason: unknown): void => {
  unhandled.push(reason)
}

async function run(fault: Fault, name: PromptName): Promise<{ summary: ModelSummary; asked: number }> {
  const model = scripted((request) => fault.act(request, name))
  const summary = await summariseWithModel(
    question(model, { prompt: { name, tokensMax: TOKENS_MAX } }),
    limits(fault.limits?.()),
  )
  return { summary, asked: model.asked.length }
}

describe('a model that', () => {
  beforeAll(() => void process.on('unhandledRejection', remember))
  afterAll(() => void process.off('unhandledRejection', remember))

  const scripts = FAULTS.flatMap((fault) => PROMPT_NAMES.map((prompt) => ({ fault, prompt, name: fault.name })))

  it('is scripted to fail in at least 200 ways', () => {
    expect(scripts.filter(({ fault }) => fault.gives !== 'ok').length).toBeGreaterThanOrEqual(200)
    expect(new Set(FAULTS.map(({ name }) => name)).size).toBe(FAULTS.length)
  })

  it.each(scripts)(
    '$name ($prompt): loses nothing, is called twice at most, and does so again',
    async ({ fault, prompt }) => {
      const { summary, asked } = await run(fault, prompt)
      expect(summary).toMatchObject(fault.gives === 'ok' ? { ok: true } : { ok: false, reason: fault.gives })
      expect(summary.calls).toBe(fault.calls)
      expect(asked).toBe(fault.calls)
      if (summary.ok) {
        expect(count(summary.text)).toBeLessThanOrEqual(TOKENS_MAX)
        expect(VITAL.map((text) => ({ text })).every(visibleIn(summary.standIn))).toBe(true)
        expect(summary.text.isWellFormed()).toBe(true)
        expect(summary.text).not.toMatch(/[\0-\x09\x0B-\x1F]/)
        const shown = linesWithBlocks(summary.standIn.map(messageText).join('\n'))
        expect(shown.map(({ line }) => line).toSorted()).toEqual(summary.text.split('\n').toSorted())
      } else {
        expect(summary.detail?.length ?? 0).toBeLessThanOrEqual(500)
      }
      expect((await run(fault, prompt)).summary).toEqual(summary)
    },
  )

  it('answers after it was left behind: changes nothing and rejects nowhere', async () => {
    await sleep(40)
    expect(unhandled).toEqual([])
  })

  it('is shown a turn that is larger than its answer may be', () => {
    expect(
      turn().reduce((sum, entry) => sum + (entry.type === 'message' ? entry.message.tokens : 0), 0),
    ).toBeGreaterThan(TOKENS_MAX)
  })
})
