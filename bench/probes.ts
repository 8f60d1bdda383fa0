import { eastAsia } from '../test/fixtures/probes/east-asia.ts'
import { kinds } from '../test/fixtures/probes/kinds.ts'
import { laterKinds } from '../test/fixtures/probes/later.ts'
import { missedProbes } from '../test/fixtures/probes/missed-probes.ts'
import { west } from '../test/fixtures/probes/west.ts'
import type { Figure } from './measure.ts'

const OTHERS = 2_000

/** [found-15] How many of twenty questions of a kind find their message among the first five, in a store of 2,000 others. */
export async function probesBenchmark(): Promise<readonly Figure[]> {
  const figures: Figure[] = []
  for (const kind of [...eastAsia, ...west, ...kinds, ...laterKinds]) {
    const missed = await missedProbes(kind, OTHERS)
    figures.push({
      requirement: '[found-15]',
      what: `${kind.name}: found among the first five`,
      value: kind.probes.length - missed.length,
      unit: '',
      goal: { atLeast: 18 },
      note: missed.length === 0 ? `all ${kind.probes.length}` : `missed ${missed.join('; ')}`,
    })
  }
  return figures
}
