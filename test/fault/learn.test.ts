import { setTimeout } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { beforeAll, describe, expect, it } from 'vitest'
import { openMemory } from '../../src/memory/open-memory.ts'
import { openMemoryWith } from '../../src/memory/open-memory-with.ts'
import { openLessonStore } from '../knowledge/learn/lesson-store.ts'
import { times } from '../tier.ts'
import { Child, warm } from './harness/child.ts'
import { figures } from './harness/figures.ts'
import { Folder } from './harness/folder.ts'
import type { Random } from './harness/random.ts'
import { seeded } from './harness/seeded.ts'

const LEARNER = new URL('children/learner.ts', import.meta.url)
/** After what a learner said. A bare table is written much faster than facts. */
const WAIT_MS_MAX = { facts: 40, bare: 12 }
const ROUNDS_MAX = 20
const MESSAGES_PER_SESSION = 640
/** A little longer than a lease. Each pair of learners lives so much later than the last. */
const AGE_MS = 31_000

/** Nobody waits for leases of the dead: to the store it is later than it was. */
function age(file: string): void {
  const database = new Database(file)
  database.prepare('UPDATE jobs SET due_at = due_at - ?').run(AGE_MS)
  database.close()
}

type Line = { readonly kind: 'teaching' | 'settled' } | { readonly kind: 'taught'; readonly taught: boolean }

/** Adds messages of which each teaches exactly one fact. */
async function fill(file: string, session: number): Promise<void> {
  await using memory = await openMemory(file, { learn: false })
  const messages = Array.from({ length: MESSAGES_PER_SESSION }, (_, index) => ({
    role: 'user' as const,
    id: `m${session}-${index}`,
    content: `I like thing number ${session * MESSAGES_PER_SESSION + index}.`,
  }))
  await memory.scope('acme/ada').session(`s${session}`).append(messages)
}

interface Task {
  readonly careless: boolean
}

/**
 * Two learners on one file, killed a moment after one of them teaches, or after both have taught.
 * What dies too often with its process is given up, by design: the second kind lets end what the first kind interrupted.
 */
async function killPair(file: string, random: Random, task: Task, moment: 'teaching' | 'taught'): Promise<Line[]> {
  const pair = [new Child(LEARNER, [file]), new Child(LEARNER, [file])]
  const told: Line[] = []
  const reached = pair.map(async (child) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    child.onLine((line) => {
      const { kind } = line as Line
      told.push(line as Line)
      if (kind === moment || kind === 'settled') resolve()
    })
    await Promise.race([promise, child.ended])
  })
  await Promise.all(pair.map((child) => child.ready))
  await Promise.all(pair.map((child) => child.go(task)))
  await (moment === 'teaching' ? Promise.race(reached) : Promise.all(reached))
  await setTimeout(random.next() * WAIT_MS_MAX[task.careless ? 'bare' : 'facts'])
  await Promise.all(pair.map((child) => child.kill()))
  expect(pair.map(({ errors }) => errors)).toEqual(['', ''])
  return told
}

/** Kills, then lets one learner finish. How much a learner does until it is dead is up to the machine: some kills are added until all kinds were seen. */
async function killed(wanted: number, careless: boolean): Promise<Record<string, number>> {
  using folder = new Folder()
  const file = folder.file('log.db')
  const random = seeded()
  let [kills, taught, halfway] = [0, 0, 0]
  for (; kills < wanted || (kills < wanted * 4 && (taught === 0 || halfway === 0)); kills++) {
    await fill(file, kills)
    const moment = kills % 2 === 0 ? 'teaching' : 'taught'
    const told = await killPair(file, random, { careless }, moment)
    age(file)
    const ended = told.filter((line) => line.kind === 'taught')
    taught += ended.filter((line) => line.taught).length
    if (told.filter(({ kind }) => kind === 'teaching').length > ended.length) halfway += 1
  }
  const { failed, sources } = careless ? await finishCareless(file) : await finish(file)
  const learned = new Set(sources).size
  const messages = kills * MESSAGES_PER_SESSION
  return { kills, messages, taught, halfway, failed, lost: messages - learned, repeated: sources.length - learned }
}

interface Finished {
  readonly failed: number
  /** The message behind each thing that was learned. */
  readonly sources: readonly string[]
}

async function finish(file: string): Promise<Finished> {
  await using memory = await openMemory(file)
  const { failed } = await memory.settled()
  const sources: string[] = []
  for (let after: string | undefined; ;) {
    const page = await memory.scope('acme/ada').facts({ limit: 1_000, ...(after === undefined ? {} : { after }) })
    sources.push(...page.flatMap((fact) => fact.sources.map((one) => (one.type === 'message' ? one.id : one.type))))
    after = page.at(-1)?.id
    if (page.length < 1_000) return { failed, sources }
  }
}

/** With a table in which nothing is unique, so that a lesson stored twice shows. */
async function finishCareless(file: string): Promise<Finished> {
  const lessons = await openLessonStore(file)
  await using memory = await openMemoryWith(lessons.store, {}, () => lessons.teacher)
  const { failed } = await memory.settled()
  return { failed, sources: lessons.rows().map(({ message }) => message) }
}

describe('[know-7] a crash in the middle of learning', () => {
  beforeAll(() => warm(LEARNER))

  it('[learn-1] loses no lesson and repeats none, with two learners at a time', async () => {
    const found = await killed(times({ daily: 12, nightly: 300 }), false)
    figures('killed learners', found)
    expect(found).toMatchObject({ lost: 0, repeated: 0, failed: 0 })
    expect(found['taught']).toBeGreaterThan(0)
    expect(found['halfway']).toBeGreaterThan(0)
  })

  it('is noticed by this test when the cursor moves apart from what was learned', async () => {
    let repeated = 0
    // A kill falls between the two writes by chance: often, not every time.
    for (let round = 0; round < ROUNDS_MAX && repeated === 0; round++)
      repeated = (await killed(6, true))['repeated'] ?? 0
    expect(repeated).toBeGreaterThan(0)
  })
})
