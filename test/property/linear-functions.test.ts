import { describe, expect, it } from 'vitest'
import { times } from '../tier.ts'
import { repeatedUnits } from './growth/repeated-units.ts'
import { superlinear } from './growth/superlinear.ts'
import { textFunctions } from './growth/text-functions.ts'

/** Of the shorter text; the longer one is 16 times as long: 4 MiB at night. */
const LENGTH = times({ daily: 4 * 1024, nightly: 256 * 1024 })
/** By day each function is tried with every so many of the units, each beginning with another. */
const EVERY = times({ daily: 12, nightly: 1 })
const HOUR = 3_600_000

describe('functions that read stored or received text', async () => {
  it.each(Object.entries(await textFunctions()).map(([name, run], nth) => ({ name, run, nth })))(
    '[walls-101] take time in proportion to the text: $name',
    { timeout: HOUR },
    ({ run, nth }) => {
      const units = repeatedUnits.filter((_, index) => (index + nth) % EVERY === 0)
      const slow = units.filter((unit) => superlinear(run, (length) => textOf(unit, length), LENGTH) > 0)
      expect(slow).toEqual([])
    },
  )
})

function textOf(unit: string, length: number): string {
  return `a${unit.repeat(Math.ceil(length / unit.length))}\u0001`
}
