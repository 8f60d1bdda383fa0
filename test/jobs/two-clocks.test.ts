import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { enqueueFound } from '../../src/jobs/enqueue-found.ts'
import { Chores, ScriptedClock, openStore, startRunner } from './scene.ts'
import { oneRunsWhatTwoClocksSee, workOfAClockAheadIsDue } from './two-clocks.ts'

async function inAFile(work: (file: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'daybook-clocks-'))
  try {
    await work(join(folder, 'memory.db'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

it.each(['ahead', 'behind'] as const)('[learn-8] a job of a handle whose clock is %s is run once', (first) =>
  inAFile((file) => oneRunsWhatTwoClocksSee(file, {}, first)),
)

it('[learn-8] what a handle whose clock is ahead left undone is due for one that is behind', () =>
  inAFile((file) => workOfAClockAheadIsDue(file, {})))

it('[learn-8] a runner that slept through the end of its lease does not run its job a second time beside the first', async () => {
  const clock = new ScriptedClock()
  const store = await openStore(clock)
  const chores = new Chores()
  const [begun, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let [atOnce, atOnceMost] = [0, 0]
  chores.act = async () => {
    atOnceMost = Math.max(atOnceMost, (atOnce += 1))
    begun.resolve()
    await goOn.promise
    atOnce -= 1
    return null
  }
  const job = { id: 'x', kind: 'chore', scope: 'a', subject: 'x', mark: 1, payload: null }
  await enqueueFound(store.jobs, job, 9)
  const { runner } = startRunner(store, chores, { leaseMs: 1_000_000 })
  const settled = runner.settled()
  await begun.promise
  clock.time += 2_000_000
  await enqueueFound(store.jobs, { ...job, id: 'y', subject: 'y' }, 9)
  runner.nudge({ scope: 'a', subject: 'y' })
  // A look has come by when the other one has begun.
  while ((await store.jobs.list({ limit: 9, state: 'running' })).every(({ id }) => id !== 'y'))
    await new Promise((resolve) => setImmediate(resolve))
  goOn.resolve()
  await settled
  await runner.settled()
  expect(atOnceMost).toBe(2)
  expect((await store.jobs.list({ limit: 9 })).map(({ state, attempts }) => [state, attempts])).toEqual([
    ['done', 1],
    ['done', 1],
  ])
  expect(chores.done.toSorted()).toEqual(['x', 'y'])
})
