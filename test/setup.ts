import fc from 'fast-check'
import { afterEach, expect } from 'vitest'
import { checkedFetch, violations } from './openapi/checked-fetch.ts'
import { tier, times } from './tier.ts'

// By day the cases are always the same, so that a run can be repeated; at night they are new each time. A failed property
// prints its seed, and `DAYBOOK_SEED=… npm run test:laws` runs that one again.
const seed = process.env['DAYBOOK_SEED'] ?? (tier === 'daily' ? '20261116' : undefined)

fc.configureGlobal({
  numRuns: times({ daily: 100, nightly: 2_000 }),
  ...(seed === undefined ? {} : { seed: Number(seed) }),
})

// Every request of a test to a server of ours, and its response, fits the OpenAPI document.
// This file runs again for each test file, in the same process where tests are not isolated.
const original = Symbol.for('daybook.original-fetch')
const held = globalThis as { fetch: typeof fetch; [original]?: typeof fetch }
held.fetch = checkedFetch((held[original] ??= held.fetch))
afterEach(() => {
  expect(violations.splice(0).slice(0, 5), 'what does not fit the OpenAPI document').toEqual([])
})
