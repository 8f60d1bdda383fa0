import { describe, expect, it } from 'vitest'
import type { Session } from '../../src/api/session.ts'
import type { OpenSubject } from './subject.ts'

const MODEL = 'claude-x'
const BUDGET = 3_000
/** As far off as a report may be and still be counted. */
const WRONG_BY_FAR = { model: MODEL, inputTokens: 9_900, estimatedTokens: 1_000 }

async function talk(chat: Session): Promise<void> {
  for (let turn = 0; turn < 20; turn++)
    await chat.append([
      { role: 'user', content: `Question ${turn}: ${'what about this one? '.repeat(8)}` },
      { role: 'assistant', content: `Answer ${turn}: ${'that one is all right. '.repeat(8)}` },
    ])
}

/** What one tenant does changes nothing for another. */
export function testTenants(open: OpenSubject): void {
  describe('tenants', () => {
    it("[walls-1] a usage report changes no other root's contexts, and stores no compaction there", async () => {
      await using memory = await open()
      const ada = memory.scope('acme').session('s')
      await talk(ada)
      const before = await ada.context({ budget: BUDGET, model: MODEL })
      const { version } = await ada.stats()
      for (let report = 0; report < 5; report++) await memory.scope('acme2').session('s').usage(WRONG_BY_FAR)
      const after = await ada.context({ budget: BUDGET, model: MODEL })
      expect(JSON.stringify(after.messages)).toBe(JSON.stringify(before.messages))
      expect((await ada.stats()).version).toBe(version)
    })

    it('[walls-2] a report of another scope under the same root causes no compaction, an own report does', async () => {
      await using memory = await open()
      const ada = memory.scope('acme/ada').session('s')
      await talk(ada)
      await ada.context({ budget: BUDGET, model: MODEL })
      const { version } = await ada.stats()
      const report = async (scope: string): Promise<void> => {
        for (let time = 0; time < 5; time++) await memory.scope(scope).session('s').usage(WRONG_BY_FAR)
      }
      for (const scope of ['acme', 'acme/bob', 'acme/ada/helper']) await report(scope)
      const calibrated = await ada.context({ budget: BUDGET, model: MODEL })
      expect(calibrated.tokens).toBeLessThanOrEqual(BUDGET)
      expect((await ada.stats()).version).toBe(version)
      await report('acme/ada')
      await ada.context({ budget: BUDGET, model: MODEL })
      expect((await ada.stats()).version).toBeGreaterThan(version)
    })

    it('[walls-3] with `calibrate: false` reports are counted in totals and change no context', async () => {
      await using memory = await open({ calibrate: false })
      const ada = memory.scope('acme').session('s')
      await talk(ada)
      const before = await ada.context({ budget: BUDGET, model: MODEL })
      for (let report = 0; report < 5; report++) await ada.usage(WRONG_BY_FAR)
      const after = await ada.context({ budget: BUDGET, model: MODEL })
      expect(JSON.stringify(after.messages)).toBe(JSON.stringify(before.messages))
      expect(await ada.state.get('token_usage')).toMatchObject({ total_input: 5 * 9_900 })
    })
  })
}
