import { onTestFailed } from 'vitest'

import { Random } from './random.ts'

/** Chance for the current test. `DAYBOOK_SEED=…` repeats a run that failed. */
export function seeded(): Random {
  const given = process.env['DAYBOOK_SEED']
  const seed = given === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(given)
  onTestFailed(() => console.error(`seed ${seed}: repeat with DAYBOOK_SEED=${seed}`))
  return new Random(seed)
}
