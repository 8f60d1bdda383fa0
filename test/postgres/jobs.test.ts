import { expect, it } from 'vitest'
import { endAttempt } from '../../src/jobs/end-attempt.ts'
import { enqueueFound } from '../../src/jobs/enqueue-found.ts'
import type { JobRow } from '../../src/ports/job-store.ts'
import type { Store } from '../../src/ports/store.ts'
import { openPostgresStore } from '../../src/stores/postgres/store.ts'
import { Child } from '../fault/harness/child.ts'
import { oneRunsWhatTwoClocksSee, workOfAClockAheadIsDue } from '../jobs/two-clocks.ts'
import { times } from '../tier.ts'
import { type TestDatabase, freshDatabase, withClient } from './database.ts'

const worker = new URL('children/job-worker.ts', import.meta.url)
/** What a worker claims at once. */
const HELD = 3
const JOBS = times({ daily: 60, nightly: 2_000 })

const open = ({ url, postgres }: TestDatabase): Promise<Store> =>
  openPostgresStore(url, postgres, Date.now, () => undefined)

async function fill(store: Store): Promise<void> {
  for (let index = 0; index < JOBS; index++) {
    const job = { id: `j${index}`, kind: 'chore', scope: `a/${index % 7}`, subject: `s${index}` }
    expect(await enqueueFound(store.jobs, { ...job, mark: 1, payload: null }, JOBS)).toBe('added')
  }
}

/** As if the time of all leases had passed. */
function endLeases({ admin }: TestDatabase): Promise<unknown> {
  return withClient(admin, (client) => client.query('UPDATE daybook.jobs SET due_at = 0'))
}

async function workers(database: TestDatabase, tasks: readonly { owner: string; holds: boolean }[]): Promise<Child[]> {
  const children = tasks.map(() => new Child(worker, []))
  const { url, postgres } = database
  for (const [index, child] of children.entries()) await child.go({ url, postgres, ...tasks[index] })
  return children
}

function claimedBy(child: Child): readonly string[] {
  return (child.lines as { readonly claimed: string | null }[]).flatMap(({ claimed }) => claimed ?? [])
}

it('[pg-12] of several processes one has a job, and the jobs of a killed one come back when its lease has ended', async () => {
  await using database = await freshDatabase()
  const store = await open(database)
  await fill(store)
  const [killed] = (await workers(database, [{ owner: 'killed', holds: true }])) as [Child]
  const holding = new Promise<void>((resolve) => {
    killed.onLine(() => claimedBy(killed).length === HELD && resolve())
  })
  await Promise.race([holding, killed.ended])
  const others = await workers(database, [
    { owner: 'one', holds: false },
    { owner: 'two', holds: false },
  ])
  expect(await Promise.all(others.map(({ ended }) => ended))).toEqual([0, 0])
  await killed.kill()

  const children = [killed, ...others]
  const claims = children.flatMap(claimedBy)
  expect(new Set(claims).size).toBe(claims.length)
  expect(claims.length).toBe(JOBS)
  const held = claimedBy(killed)
  const claim = { kind: 'chore', owner: 'three', leaseMs: 3_600_000, except: [], limit: 9 }
  expect(await store.jobs.claim(claim)).toEqual([])
  await endLeases(database)
  const back = await store.jobs.claim(claim)
  expect(back.map(({ id }) => id).toSorted()).toEqual(held.toSorted())
  expect(back.map(({ attempts }) => attempts)).toEqual(held.map(() => 2))

  // Whoever comes back from the dead is told that the job is not his any more.
  for (const id of held)
    expect(await endAttempt(store.jobs, { id, owner: 'killed', attempts: 1 }, { type: 'given-back' })).toBeUndefined()
  for (const job of back) await endAttempt(store.jobs, job, { type: 'done', result: null })
  expect(await store.jobs.tally(['chore'])).toMatchObject({ due: 0, running: 0, waiting: 0, failed: 0 })
  await store.close()
})

it('[pg-12] two processes that find the same work at once make one job of it', async () => {
  await using database = await freshDatabase()
  const stores = await Promise.all([open(database), open(database)])
  for (let round = 0; round < 20; round++) {
    const answers = await Promise.all(
      [0, 1, 2, 3].map((index) => {
        const job = { id: `${round}-${index}`, kind: 'chore', scope: 'a', subject: `s${round}` }
        return enqueueFound((stores[index % 2] as Store).jobs, { ...job, mark: 1, payload: null }, 100)
      }),
    )
    expect(answers.toSorted()).toEqual(['added', 'known', 'known', 'known'])
  }
  for (const store of stores) await store.close()
})

it('[pg-12] a claim and the end of an attempt that meet never both have the job', async () => {
  await using database = await freshDatabase()
  const [mine, theirs] = await Promise.all([open(database), open(database)])
  for (let round = 1; round <= times({ daily: 20, nightly: 1_000 }); round++) {
    const job = { id: `j${round}`, kind: `k${round}`, scope: 'a', subject: 's' }
    await enqueueFound(mine.jobs, { ...job, mark: 1, payload: null }, 1)
    const claim = { kind: job.kind, except: [], limit: 1 }
    const [held] = await mine.jobs.claim({ ...claim, owner: 'mine', leaseMs: 0 })
    const [ended, taken] = await Promise.all([
      endAttempt(mine.jobs, held as JobRow, { type: 'done', result: null }),
      theirs.jobs.claim({ ...claim, owner: 'theirs', leaseMs: 60_000 }),
    ])
    expect([ended?.state, ...taken.map(({ owner }) => owner)]).toEqual(
      taken.length === 0 ? ['done'] : [undefined, 'theirs'],
    )
  }
  for (const store of [mine, theirs]) await store.close()
})

it.each(['ahead', 'behind'] as const)('[pg-12] a job of a machine whose clock is %s is run once', async (first) => {
  await using database = await freshDatabase()
  await oneRunsWhatTwoClocksSee(database.url, { postgres: database.postgres }, first)
})

it('[pg-12] what a machine whose clock is ahead left undone is due for one that is behind', async () => {
  await using database = await freshDatabase()
  await workOfAClockAheadIsDue(database.url, { postgres: database.postgres })
})
