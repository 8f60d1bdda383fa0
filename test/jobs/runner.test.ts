import { setTimeout } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { backOffMs } from '../../src/jobs/back-off.ts'
import { cancelJob, retryJob } from '../../src/jobs/by-hand.ts'
import { enqueueFound } from '../../src/jobs/enqueue-found.ts'
import type { FoundWork } from '../../src/jobs/job-kind.ts'
import type { JobRow } from '../../src/ports/job-store.ts'
import { Chores, ScriptedClock, openStore, startRunner } from './scene.ts'

const never = new Promise<null>(() => undefined)
const list = async (store: Awaited<ReturnType<typeof openStore>>): Promise<readonly JobRow[]> =>
  store.jobs.list({ limit: 1_000 })

describe('[learn-8] jobs', () => {
  it('are found, run and listed', async () => {
    const store = await openStore()
    const chores = new Chores()
    const { runner, events } = startRunner(store, chores)
    for (const subject of ['x', 'y', 'z']) chores.due.set(subject, 1)
    expect(await runner.settled()).toMatchObject({ due: 0, running: 0, waiting: 0, failed: 0 })
    expect(chores.done.toSorted()).toEqual(['x', 'y', 'z'])
    expect((await list(store)).map(({ state }) => state)).toEqual(['done', 'done', 'done'])
    expect(events.map(({ type }) => type)).toEqual(['job-end', 'job-end', 'job-end'])
  })

  it('are run soon after a nudge, without anybody waiting', async () => {
    const chores = new Chores()
    const ran = Promise.withResolvers<void>()
    chores.act = async () => {
      ran.resolve()
      return null
    }
    const { runner } = startRunner(await openStore(), chores)
    chores.due.set('x', 1)
    runner.nudge({ scope: 'a', subject: 'x' })
    await ran.promise
    await runner.close()
    expect(chores.done).toEqual(['x'])
  })

  it('are retried with a pause that doubles, then fail and wait for a person', async () => {
    const clock = new ScriptedClock()
    const store = await openStore(clock)
    const chores = new Chores()
    chores.due.set('x', 1)
    chores.act = async () => {
      throw new Error('no luck')
    }
    const { runner, events } = startRunner(store, chores)
    const pauses: number[] = []
    for (let attempt = 1; attempt < chores.attemptsMax; attempt++) {
      expect(await runner.settled()).toMatchObject({ waiting: 1, failed: 0 })
      const [job] = await list(store)
      expect(job).toMatchObject({ state: 'waiting', attempts: attempt, error: 'Error: no luck' })
      pauses.push((job?.dueAt ?? 0) - clock.time)
      clock.time = job?.dueAt ?? 0
    }
    expect(pauses).toEqual([750, 1_500])
    expect(await runner.settled()).toMatchObject({ waiting: 0, failed: 1 })
    // It is not tried again by itself, as long as nothing changes.
    clock.time += 10 ** 9
    expect(await runner.settled()).toMatchObject({ failed: 1 })
    expect(events.filter(({ type }) => type === 'job-fail')).toHaveLength(3)

    chores.act = async () => 'lucky'
    const [failed] = await list(store)
    await retryJob(store.jobs, failed?.id ?? '')
    await runner.settled()
    expect(await list(store)).toMatchObject([{ state: 'done', attempts: 1, error: null, result: 'lucky' }])
  })

  it('that failed are tried again when their subject has moved on', async () => {
    const clock = new ScriptedClock()
    const store = await openStore(clock)
    const chores = new Chores()
    chores.due.set('x', 1)
    chores.act = async () => {
      throw new Error('no luck')
    }
    const { runner } = startRunner(store, chores)
    for (let attempt = 0; attempt < 3; attempt++) {
      await runner.settled()
      clock.time += 3_600_000
    }
    chores.act = async () => null
    await runner.settled()
    expect(chores.done).toEqual([])
    chores.due.set('x', 2)
    await runner.settled()
    expect(chores.done).toEqual(['x'])
    expect(await list(store)).toHaveLength(1)
  })

  it('are bounded: who asks for one too many is told, what is found waits for room', async () => {
    const store = await openStore()
    const job = (subject: string) => ({
      id: subject,
      kind: 'chore',
      scope: 'a',
      subject,
      mark: 1,
      payload: null,
    })
    for (const subject of ['x', 'y']) expect(await enqueueFound(store.jobs, job(subject), 2)).toBe('added')
    expect(await enqueueFound(store.jobs, job('z'), 2)).toBe('full')
    expect(await enqueueFound(store.jobs, { ...job('x'), id: 'again' }, 2)).toBe('known')

    const chores = new Chores(5)
    for (let index = 0; index < 300; index++) chores.due.set(`s${index}`, 1)
    const { runner, events } = startRunner(await openStore(), chores)
    await runner.settled()
    expect(new Set(chores.done).size).toBe(300)
    expect(chores.done).toHaveLength(300)
    expect(events.some(({ type }) => type === 'jobs-full')).toBe(true)
  })

  it('that wait for a later attempt take no room: the others get their turn, and all is settled', async () => {
    const store = await openStore()
    const chores = new Chores(4)
    for (let index = 0; index < 300; index++) chores.due.set(`s${index}`, 1)
    chores.act = async ({ subject }) => {
      if (subject !== 's299') throw new Error('not now')
      return null
    }
    let tallies = 0
    const counting = new Proxy(store.jobs, {
      get: (jobs, name) => {
        if (name === 'tally') tallies += 1
        const value = Reflect.get(jobs, name) as unknown
        return typeof value === 'function' ? (value.bind(jobs) as unknown) : value
      },
    })
    const { runner } = startRunner(store, chores, { store: counting })
    expect(await runner.settled()).toMatchObject({ due: 0, running: 0, waiting: 299, failed: 0 })
    expect(chores.done).toEqual(['s299'])
    // A few looks for each two jobs that run, and no more: waiting is not looking.
    expect(tallies).toBeLessThan(300 * 6)
    const before = tallies
    await runner.settled()
    // A few again; a runner that does not rest asks thousands of times.
    expect(tallies - before).toBeLessThan(100)
  })

  it('are looked for once more after a look that failed in the middle', async () => {
    const chores = new Chores(4)
    for (let index = 0; index < 200; index++) chores.due.set(`s${index}`, 1)
    const find = chores.find.bind(chores)
    let broken = true
    chores.find = async function* breaking(among) {
      for await (const work of find(among)) {
        if (broken && work.subject === 's100') throw new Error('the disk is away')
        yield work
      }
    }
    const { runner } = startRunner(await openStore(), chores)
    await expect(runner.settled()).rejects.toThrow('the disk is away')
    broken = false
    await runner.settled()
    expect(new Set(chores.done).size).toBe(200)
  })

  it('are not looked for to the end when the memory is closed', async () => {
    const begun = Promise.withResolvers<void>()
    const chores = new Chores()
    chores.find = async function* endless(_among, signal): AsyncGenerator<FoundWork> {
      begun.resolve()
      while (signal?.aborted === false) await setTimeout(1)
      yield { scope: 'a', subject: 'late', mark: 1 }
    }
    const store = await openStore()
    const { runner } = startRunner(store, chores)
    runner.nudge()
    await begun.promise
    await runner.close()
    expect(chores.done).toEqual([])
  })

  it('are cancelled: told to stop, and not found again before something changes', async () => {
    const store = await openStore()
    const chores = new Chores()
    const begun = Promise.withResolvers<AbortSignal>()
    chores.act = async (_, signal) => {
      begun.resolve(signal)
      await new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error))
      })
      return null
    }
    chores.due.set('x', 1)
    const { runner } = startRunner(store, chores)
    const settled = runner.settled()
    await begun.promise
    const [job] = await list(store)
    await cancelJob(store.jobs, job?.id ?? '')
    runner.stop(job?.id ?? '')
    await settled
    await runner.settled()
    expect(await list(store)).toMatchObject([{ state: 'cancelled' }])
    expect(chores.done).toEqual([])
    await expect(retryJob(store.jobs, 'nobody')).rejects.toMatchObject({ code: 'jobs/not-found' })
  })

  it('of a process that was killed are taken up when their lease ends, and by one only', async () => {
    const clock = new ScriptedClock()
    const store = await openStore(clock)
    const dead = new Chores()
    dead.due.set('x', 1)
    dead.act = () => never
    const first = startRunner(store, dead, { leaseMs: 1_000_000 })
    first.runner.nudge()
    while ((await list(store))[0]?.state !== 'running') await setTimeout(5)

    const heirs = [new Chores(), new Chores()]
    const second = heirs.map((chores) => startRunner(store, chores, { leaseMs: 1_000_000 }).runner)
    for (const runner of second) runner.nudge()
    await setTimeout(150)
    expect(heirs.flatMap(({ done }) => done)).toEqual([])
    clock.time += 1_000_001
    await Promise.all(second.map((runner) => runner.settled()))
    expect(heirs.flatMap(({ done }) => done)).toEqual(['x'])
    expect(await list(store)).toMatchObject([{ state: 'done', attempts: 2 }])
  })

  it('that kill their process every time are given up', async () => {
    const clock = new ScriptedClock()
    const store = await openStore(clock)
    const chores = new Chores()
    await enqueueFound(store.jobs, { id: 'x', kind: 'chore', scope: 'a', subject: 'x', mark: 1, payload: null }, 9)
    for (let crash = 0; crash < chores.attemptsMax; crash++) {
      await store.jobs.claim({
        kind: 'chore',
        owner: `dead-${crash}`,
        leaseMs: 10,
        except: [],
        limit: 1,
      })
      clock.time += 11
    }
    expect(await startRunner(store, chores).runner.settled()).toMatchObject({ failed: 1 })
    expect(chores.done).toEqual([])
    expect(await list(store)).toMatchObject([{ state: 'failed', error: 'Error: the process ended while it ran' }])
  })

  it('are drained on close: what runs ends, or is given back without losing an attempt', async () => {
    const store = await openStore()
    const chores = new Chores()
    const slow = Promise.withResolvers<null>()
    chores.act = ({ subject }) => (subject === 'slow' ? slow.promise : never)
    chores.due.set('slow', 1)
    chores.due.set('stuck', 1)
    const { runner } = startRunner(store, chores, { drainMs: 500 })
    runner.nudge()
    while ((await list(store)).filter(({ state }) => state === 'running').length < 2) await setTimeout(5)
    const closing = runner.close()
    slow.resolve(null)
    await closing
    const states = Object.fromEntries(
      (await list(store)).map(({ subject, state, attempts }) => [subject, [state, attempts]]),
    )
    expect(states).toEqual({ slow: ['done', 1], stuck: ['waiting', 0] })
  })

  it('that are done are deleted when a thousand newer ones are', async () => {
    const store = await openStore()
    const chores = new Chores(10_000)
    for (let index = 0; index < 1_100; index++) chores.due.set(`s${index}`, 1)
    await startRunner(store, chores).runner.settled()
    const kept = (await store.jobs.list({ limit: 5_000 })).length
    expect(kept).toBeGreaterThanOrEqual(1_000)
    expect(kept).toBeLessThan(1_050)
  })

  it('are claimed once, however many ask', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 12 }),
        fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 8 }),
        async (jobs, limits) => {
          const store = await openStore()
          for (let index = 0; index < jobs; index++)
            await enqueueFound(
              store.jobs,
              { id: `${index}`, kind: 'k', scope: 'a', subject: `${index}`, mark: 1, payload: null },
              99,
            )
          const claims = await Promise.all(
            limits.map((limit, index) =>
              store.jobs.claim({ kind: 'k', owner: `o${index}`, leaseMs: 100, except: [], limit }),
            ),
          )
          const ids = claims.flat().map(({ id }) => id)
          expect(new Set(ids).size).toBe(ids.length)
          expect(ids.length).toBe(
            Math.min(
              jobs,
              limits.reduce((sum, limit) => sum + limit, 0),
            ),
          )
          await store.close()
        },
      ),
      { numRuns: 30 },
    )
  })

  it('wait longer each time, never longer than a quarter of an hour, and not all equally long', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 200 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (attempts, chance) => {
          const pause = backOffMs(attempts, chance)
          expect(pause).toBeGreaterThanOrEqual(500)
          expect(pause).toBeLessThanOrEqual(15 * 60_000)
          expect(backOffMs(attempts + 1, chance)).toBeGreaterThanOrEqual(pause)
        },
      ),
    )
    expect(backOffMs(3, 0)).not.toBe(backOffMs(3, 0.9))
  })
})
