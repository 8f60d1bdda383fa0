import { expect, it } from 'vitest'
import { Child } from '../fault/harness/child.ts'
import { figures } from '../fault/harness/figures.ts'
import { Folder } from '../fault/harness/folder.ts'
import type { Sample, SoakEnd } from './children/load.ts'

const LOAD = new URL('children/load.ts', import.meta.url)
const MINUTES = Number(process.env['DAYBOOK_SOAK_MINUTES'] ?? 60)
/** Code that is compiled as it gets warm is no leak. */
const WARM_UP_SHARE = 0.25

it(`a memory under load for ${MINUTES} minutes leaks no memory and no handle, and keeps its WAL bounded`, async () => {
  using folder = new Folder()
  const lines = await new Child(LOAD, [folder.file('soak.db')]).run({ minutes: MINUTES })
  const { appended, ...report } = lines.at(-1) as SoakEnd
  const samples = lines.slice(0, -1) as readonly Sample[]
  const settled = samples.slice(Math.floor(samples.length * WARM_UP_SHARE))
  const walMbMax = Math.max(...settled.map((one) => one.walMb))
  figures('soak', {
    minutes: MINUTES,
    messages: appended,
    'heap MB at the end': settled.at(-1)?.heapMb ?? Number.NaN,
    'heap MB an hour': slope(settled),
    'WAL MB at most': walMbMax,
  })
  expect(report).toEqual({ ok: true, messages: appended })
  expect(walMbMax).toBeLessThanOrEqual(64)
  expect(settled.at(-1)?.handles).toBeLessThanOrEqual((settled[0]?.handles ?? 0) + 4)
  // A short run is all warm-up: the slope of a few minutes is noise.
  if (MINUTES >= 20) expect(slope(settled)).toBeLessThan(5)
})

/** Megabytes an hour, by least squares. */
function slope(samples: readonly Sample[]): number {
  const mean = (pick: (one: Sample) => number): number =>
    samples.reduce((sum, one) => sum + pick(one), 0) / samples.length
  const [hours, heap] = [mean((one) => one.hours), mean((one) => one.heapMb)]
  const covariance = mean((one) => (one.hours - hours) * (one.heapMb - heap))
  return covariance / mean((one) => (one.hours - hours) ** 2)
}
