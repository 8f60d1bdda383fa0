import { describe, expect, it } from 'vitest'
import { eastAsia } from '../fixtures/probes/east-asia.ts'
import { kinds } from '../fixtures/probes/kinds.ts'
import { laterKinds } from '../fixtures/probes/later.ts'
import { missedProbes } from '../fixtures/probes/missed-probes.ts'
import { west } from '../fixtures/probes/west.ts'

/** The benchmark does the same among 2,000. */
const OTHERS = 120

describe('[found-15] twenty questions of a kind', () => {
  it.each([...eastAsia, ...west, ...kinds, ...laterKinds])('find their messages: $name', async (kind) => {
    expect(kind.probes.length).toBeGreaterThanOrEqual(20)
    expect(await missedProbes(kind, OTHERS)).toEqual([])
  })
})
