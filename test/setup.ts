import fc from 'fast-check'

import { times } from './tier.ts'

const seed = process.env['DAYBOOK_SEED']

// A failed property prints its seed; `DAYBOOK_SEED=… npm run test:fault` runs that one again.
fc.configureGlobal({
  numRuns: times({ daily: 100, nightly: 2_000 }),
  ...(seed === undefined ? {} : { seed: Number(seed) }),
})
