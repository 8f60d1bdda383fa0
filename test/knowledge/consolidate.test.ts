import { expect, it } from 'vitest'
import { openMemory } from '../../src/memory/open-memory.ts'

it('[walls-293] consolidating long facts lets others run, and finds what is told twice', async () => {
  await using memory = await openMemory(':memory:', { learn: false })
  const scope = memory.scope('acme')
  const why = 'because the dépôt was closed all week, '.repeat(400)
  await scope.remember(
    Array.from({ length: 100 }, (_, nth) => ({ subject: 'Ada', predicate: `reason ${nth}`, object: `${why}${nth}` })),
  )
  await scope.remember({ subject: 'Ada', predicate: 'reason 7', object: `${why}7!` })
  let turns = 0
  let on = true
  const others = (): void => {
    turns += 1
    if (on) setImmediate(others)
  }
  setImmediate(others)
  const proposals = await scope.consolidate()
  on = false
  expect(proposals).toHaveLength(1)
  // It used to hold the loop from beginning to end.
  expect(turns).toBeGreaterThan(2)
})
