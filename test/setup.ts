import fc from 'fast-check'

import { tier, times } from './tier.ts'

// By day the cases are always the same, so that a run can be repeated; at night they are new each time. A failed property
// prints its seed, and `DAYBOOK_SEED=… npm run test:laws` runs that one again.
const seed = process.env['DAYBOOK_SEED'] ?? (tier === 'daily' ? '20261116' : undefined)

fc.configureGlobal({
  numRuns: times({ daily: 100, nightly: 2_000 }),
  ...(seed === undefined ? {} : { seed: Number(seed) }),
})
