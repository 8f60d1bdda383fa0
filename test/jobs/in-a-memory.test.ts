import { describe, expect, it } from 'vitest'
import type { MemoryEvent } from '../../src/api/events.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import { openMemoryWith } from '../../src/memory/open-memory-with.ts'
import { type Teacher, teacherFor } from '../../src/knowledge/learn/learning.ts'
import type { Knowledge } from '../../src/knowledge/knowledge.ts'

/** Makes facts of what is learned, except while something is broken. */
function failing(isBroken: () => boolean, message: string): (knowledge: Knowledge) => Teacher {
  return (knowledge) => {
    const teacher = teacherFor(knowledge)
    return {
      ...teacher,
      teach: async (lesson) => {
        if (isBroken()) throw new Error(message)
        return teacher.teach(lesson)
      },
    }
  }
}

describe('[learn-8] memory.jobs', () => {
  it('lists by scope, kind and state, page by page, newest first', async () => {
    await using memory = await openMemory(':memory:')
    for (const scope of ['a', 'b', 'a/c'])
      await memory.scope(scope).session('s').append({ role: 'user', content: 'Hello.' })
    await memory.settled()
    expect((await memory.jobs.list({ scope: 'b' })).map(({ scope }) => scope)).toEqual(['b'])
    expect(await memory.jobs.list({ kind: 'learn', state: 'done' })).toHaveLength(3)
    expect(await memory.jobs.list({ state: 'failed' })).toEqual([])
    const [first] = await memory.jobs.list({ limit: 1 })
    const rest = await memory.jobs.list({ after: first?.id ?? '' })
    expect(rest).toHaveLength(2)
    expect(rest.map(({ id }) => id)).not.toContain(first?.id)
  })

  it('retries what failed, once somebody says so, tells who listens, and writes no words into its error', async () => {
    const events: MemoryEvent[] = []
    let time = Date.now()
    let broken = true
    const options = { clock: { now: () => time }, onEvent: (event: MemoryEvent) => events.push(event) }
    await using memory = await openMemoryWith(
      ':memory:',
      options,
      failing(() => broken, 'the facts are on fire'),
    )
    await memory.scope('a').session('s').append({ role: 'user', content: 'My name is Ada.' })
    for (let attempt = 0; attempt < 8; attempt++) {
      await memory.settled()
      time += 3_600_000
    }
    const [job] = await memory.jobs.list({ state: 'failed' })
    expect(job).toMatchObject({ attempts: 8, error: 'Error: learning failed: Error' })
    expect(events.filter(({ type }) => type === 'job-fail')).toHaveLength(8)
    broken = false
    expect(await memory.jobs.retry(job?.id ?? '')).toMatchObject({ state: 'waiting', attempts: 0 })
    expect(await memory.settled()).toEqual({ waiting: 0, failed: 0 })
    expect(await memory.scope('a').facts()).toHaveLength(1)
    await expect(memory.jobs.retry(job?.id ?? '')).rejects.toMatchObject({ code: 'jobs/conflict' })
    await expect(memory.jobs.cancel(job?.id ?? '')).rejects.toMatchObject({ code: 'jobs/conflict' })
  })

  it('cancels what waits; learning goes on with the next message, and then takes in all', async () => {
    let time = Date.now()
    let broken = true
    await using memory = await openMemoryWith(
      ':memory:',
      { clock: { now: () => time } },
      failing(() => broken, 'not now'),
    )
    const chat = memory.scope('a').session('s')
    await chat.append({ role: 'user', content: 'My name is Ada.' })
    expect(await memory.settled()).toEqual({ waiting: 1, failed: 0 })
    const [job] = await memory.jobs.list()
    expect(await memory.jobs.cancel(job?.id ?? '')).toMatchObject({ state: 'cancelled' })
    broken = false
    time += 3_600_000
    await memory.settled()
    expect(await memory.scope('a').facts()).toEqual([])
    await chat.append({ role: 'user', content: 'I live in Rome.' })
    await memory.settled()
    expect(await memory.scope('a').facts()).toHaveLength(2)
  })

  it('refuses what it cannot do, and says what was wrong', async () => {
    const memory = await openMemory(':memory:')
    await expect(memory.jobs.list({ limit: 0 })).rejects.toMatchObject({ code: 'input/invalid' })
    await expect(memory.jobs.list({ state: 'lost' as never })).rejects.toMatchObject({ code: 'input/invalid' })
    await expect(memory.jobs.list({ sope: 'a' } as never)).rejects.toThrow('did you mean "scope"')
    await expect(memory.jobs.retry('nobody')).rejects.toMatchObject({ code: 'jobs/not-found' })
    await expect(memory.jobs.cancel('')).rejects.toMatchObject({ code: 'input/invalid' })
    await memory.close()
    await expect(memory.jobs.list()).rejects.toMatchObject({ code: 'store/closed' })
    await expect(memory.settled()).rejects.toMatchObject({ code: 'store/closed' })
    for (const learn of ['model', 'magic', 7, { modle: 1 }, { deadlineMs: 0, model: () => '' }, {}] as never[])
      await expect(openMemory(':memory:', { learn })).rejects.toMatchObject({ code: 'input/invalid' })
  })
})
