import { beforeAll, expect, it } from 'vitest'

import { times } from '../tier.ts'
import { warm } from './harness/child.ts'
import { describeWithShim } from './harness/describe-with-shim.ts'
import { figures } from './harness/figures.ts'
import { type CutReport, JOURNALLED_WRITER, cutPoints, cutPower, record } from './harness/power-cut.ts'
import { seeded } from './harness/seeded.ts'

const timeout = times({ daily: 8, nightly: 60 }) * 60_000

function show(title: string, report: CutReport, started: number): void {
  figures(title, {
    cuts: report.cuts,
    'through memory': report.throughMemory,
    lost: report.lost.length,
    unreadable: report.unreadable.length,
    wrong: report.wrong.length,
    'cuts/s': (report.cuts * 1_000) / (performance.now() - started),
  })
}

describeWithShim('power cuts', (library) => {
  beforeAll(() => warm(JOURNALLED_WRITER))

  const lives = [
    {
      life: 'small',
      what: 'appends, revisions, clears, forks, images, reopening',
      counts: { daily: 4_300, nightly: 90_000 },
    },
    { life: 'large', what: 'a write-ahead log past its checkpoint', counts: { daily: 700, nightly: 10_000 } },
  ] as const

  it.each(lives)('[show-3] lose nothing that was acknowledged: $what', { timeout }, async ({ life, counts }) => {
    const random = seeded()
    const recording = await record(library, { life, weakSync: false })
    expect(recording.unknown).toBe(0)
    const started = performance.now()
    const report = await cutPower(recording, cutPoints(recording, times(counts), random), random)
    show(`power cuts, ${life}`, report, started)
    expect({ lost: report.lost, unreadable: report.unreadable, wrong: report.wrong }).toEqual({
      lost: [],
      unreadable: [],
      wrong: [],
    })
    expect(report.cuts).toBeGreaterThanOrEqual(times(counts))
  })

  it('[show-3] lose nothing that was acknowledged after a sync had failed', { timeout }, async () => {
    const random = seeded()
    const started = performance.now()
    let unknown = 0
    const total: CutReport = { cuts: 0, throughMemory: 0, lost: [], unreadable: [], wrong: [] }
    for (let round = 0; round < times({ daily: 8, nightly: 80 }); round++) {
      const recording = await record(
        library,
        { life: 'brief', weakSync: false },
        { at: 8 + random.below(40), errno: 5, sticky: false, kinds: 2 },
      )
      const report = await cutPower(recording, cutPoints(recording, 150, random), random)
      unknown += recording.unknown
      total.cuts += report.cuts
      total.throughMemory += report.throughMemory
      total.lost.push(...report.lost)
      total.unreadable.push(...report.unreadable)
      total.wrong.push(...report.wrong)
    }
    show('power cuts after a failed sync', total, started)
    expect(unknown).toBeGreaterThan(0)
    expect({ lost: total.lost, unreadable: total.unreadable, wrong: total.wrong }).toEqual({
      lost: [],
      unreadable: [],
      wrong: [],
    })
  })

  it('[show-3] are noticed by this test when the sync is left to the driver', { timeout }, async () => {
    const random = seeded()
    const recording = await record(library, { life: 'brief', weakSync: true })
    const report = await cutPower(recording, cutPoints(recording, 200, random), random)
    expect(report.lost.length).toBeGreaterThan(100)
  })

  it('[show-3] are noticed by this test when a row is wrong', { timeout }, async () => {
    const random = seeded()
    const recording = await record(library, { life: 'brief', weakSync: false })
    const truth = new Map(recording.truth).set('message one/3', 'something else')
    const report = await cutPower({ ...recording, truth }, [recording.calls.length], random)
    expect(report.lost).toHaveLength(1)
    expect(report.wrong).toHaveLength(1)
  })
})
