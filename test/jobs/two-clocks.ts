import { setTimeout } from 'node:timers/promises'
import { expect } from 'vitest'
import type { MemoryOptions } from '../../src/api/open-memory.ts'
import type { Knowledge } from '../../src/knowledge/knowledge.ts'
import { type Teacher, teacherFor } from '../../src/knowledge/learn/learning.ts'
import type { Memory } from '../../src/api/memory.ts'
import { openMemoryWith } from '../../src/memory/open-memory-with.ts'

const HOURS_APART = 6

/** Who learned which session, in what order; and what holds up the learning of one. */
class Lessons {
  readonly learned: string[] = []
  readonly begun: PromiseWithResolvers<void> = Promise.withResolvers()
  readonly goOn: PromiseWithResolvers<void> = Promise.withResolvers()

  teacher(who: string, knowledge: Knowledge): Teacher {
    const teacher = teacherFor(knowledge)
    return {
      ...teacher,
      teach: async (lesson) => {
        this.learned.push(`${lesson.session} by ${who}`)
        if (lesson.session === 'slow') {
          this.begun.resolve()
          await this.goOn.promise
        }
        return teacher.teach(lesson)
      },
    }
  }

  async until(session: string): Promise<void> {
    while (!this.learned.some((lesson) => lesson.startsWith(`${session} by`))) await setTimeout(5)
  }
}

/** Whatever two machines believe about the time, a job that one of them runs is not taken by the other. */
export async function oneRunsWhatTwoClocksSee(
  location: string,
  options: MemoryOptions,
  first: 'ahead' | 'behind',
): Promise<void> {
  const lessons = new Lessons()
  const open = (who: 'ahead' | 'behind'): Promise<Memory> => {
    const shift = (who === 'ahead' ? 1 : -1) * (HOURS_APART / 2) * 3_600_000
    const clock = { now: () => Date.now() + shift }
    return openMemoryWith(location, { ...options, clock }, (knowledge) => lessons.teacher(who, knowledge))
  }
  await using one = await open(first)
  const say = (memory: Memory, session: string): Promise<unknown> =>
    memory.scope('a').session(session).append({ role: 'user', content: 'My name is Ada.' })
  await say(one, 'slow')
  await lessons.begun.promise
  await using other = await open(first === 'ahead' ? 'behind' : 'ahead')
  // Each of these is learned in a look that would have found the slow one too, had it been due.
  for (const session of ['s', 't', 'u']) {
    await say(other, session)
    await lessons.until(session)
  }
  lessons.goOn.resolve()
  for (const memory of [other, one]) expect(await memory.settled()).toEqual({ waiting: 0, failed: 0 })
  expect(lessons.learned.filter((lesson) => lesson.startsWith('slow'))).toEqual([`slow by ${first}`])
  expect((await one.jobs.list()).map(({ state, attempts }) => [state, attempts])).toEqual(
    ['u', 't', 's', 'slow'].map(() => ['done', 1]),
  )
}

/** What a machine that is ahead leaves undone is due at once for one that is behind. */
export async function workOfAClockAheadIsDue(location: string, options: MemoryOptions): Promise<void> {
  const failing = (knowledge: Knowledge): Teacher => ({
    ...teacherFor(knowledge),
    teach: () => new Promise(() => undefined),
  })
  const at = (hours: number): MemoryOptions => ({
    ...options,
    clock: { now: () => Date.now() + hours * 3_600_000 },
  })
  const ahead = await openMemoryWith(location, at(HOURS_APART), failing)
  await ahead.scope('a').session('s').append({ role: 'user', content: 'My name is Ada.' })
  while ((await ahead.jobs.list())[0]?.state !== 'running') await setTimeout(5)
  await ahead.close()
  await using behind = await openMemoryWith(location, at(0))
  expect(await behind.settled()).toEqual({ waiting: 0, failed: 0 })
  expect(await behind.scope('a').facts()).toHaveLength(1)
}
