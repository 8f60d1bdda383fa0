import { expect, it } from 'vitest'
import { openMemory } from '../../src/index.ts'
import type { ForgetReceipt } from '../../src/types.ts'
import { times } from '../tier.ts'
import { describeWithShim } from './harness/describe-with-shim.ts'
import { figures } from './harness/figures.ts'
import { forgettingCuts } from './harness/forgetting-cuts.ts'

const WRITER = new URL('children/forgetting-writer.ts', import.meta.url)
const CUTS = times({ daily: 20, nightly: 1_000 })
const timeout = times({ daily: 3, nightly: 30 }) * 60_000
const receipt = { id: 'none' } as ForgetReceipt
const canary = (number: number): string => `${'abcdefghi'[number]}canary${'qrstuvwxy'[number]}ville`

describeWithShim('power cuts while something is forgotten', (library) => {
  it(
    '[forget-1] [forget-2] leave it undone or let it be finished: in no table and no byte, and the log verifies',
    { timeout },
    async () => {
      let resumed = 0
      let kept = 0
      for await (const { file, promised } of forgettingCuts(library, {
        writer: WRITER,
        args: [],
        count: CUTS,
        besideSyncs: 0.5,
      })) {
        kept = promised.size
        await using memory = await openMemory(file, { learn: false })
        await memory.settled()
        resumed += (await memory.jobs.list({ kind: 'forget', state: 'done' })).length
        const report = await memory.verify()
        expect(report.damage).toEqual([])
        expect(report.ok).toBe(true)
        const texts = JSON.stringify(await memory.scope('acme/ada').session('chat').history())
        const others = JSON.stringify(await memory.scope('acme/ada').session('other').history())
        const numbers = [0, 1, 2, 3, 8]
        const everywhere = (await memory.verifyForgotten(receipt, numbers.map(canary))).found
        for (const [index, number] of numbers.entries()) {
          const there = (number === 8 ? others : texts).includes(canary(number))
          const found = everywhere.filter(({ sample }) => sample === index)
          if (promised.has(number)) expect({ number, there, found }).toEqual({ number, there: false, found: [] })
          // Undone: then it was never begun, or it was finished by the job that took it up.
          else if (!there) expect({ number, found }).toEqual({ number, found: [] })
        }
        for (const number of [4, 5, 6, 7]) expect(texts).toContain(canary(number))
      }
      figures('power cuts while forgetting', { cuts: CUTS, resumed })
      expect(kept).toBeGreaterThan(0)
    },
  )
})
