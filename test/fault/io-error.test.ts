import { beforeAll, expect, it } from 'vitest'

import type { Memory } from '../../src/api/memory.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import { times } from '../tier.ts'
import type { StubbornLine } from './children/stubborn-writer.ts'
import { Child, warm } from './harness/child.ts'
import { describeWithShim } from './harness/describe-with-shim.ts'
import { figures } from './harness/figures.ts'
import { Folder } from './harness/folder.ts'
import { readJournal } from './harness/journal.ts'
import { Ledger } from './harness/ledger.ts'
import { type ShimTask, shimEnvironment } from './harness/shim.ts'
import { textOf } from './harness/text.ts'

const WRITER = new URL('children/stubborn-writer.ts', import.meta.url)
const NAME = 'failing'
const RUNS_AT_ONCE = 2
const timeout = times({ daily: 8, nightly: 60 }) * 60_000

type Fail = NonNullable<ShimTask['fail']>

interface Outcome {
  readonly fail: Fail
  readonly codes: readonly string[]
  readonly unknown: number
  /** Anything that should not be: each line says what. */
  readonly faults: readonly string[]
}

async function run(library: string, fail: Fail, task: 'careless' | null = null): Promise<Outcome> {
  using folder = new Folder()
  const file = folder.file(`${NAME}.db`)
  const child = new Child(WRITER, [file], { env: shimEnvironment(library, { match: `${NAME}.db`, fail }) })
  await child.go(task)
  const code = await child.ended
  const lines = child.lines as readonly StubbornLine[]
  const failures = lines.filter((line) => line.kind === 'failed')
  const faults = lines.filter((line) => line.kind === 'raw').map((line) => `raw error: ${line.what}: ${line.error}`)
  if (code !== 0 || lines.at(-1)?.kind !== 'end') faults.push(`crashed with ${code}: ${child.errors}`)
  faults.push(
    ...failures
      .filter((line) => !line.code.startsWith('store/'))
      .map((line) => `${line.what} failed with ${line.code}`),
  )
  const givenUp = lines.filter((line) => line.kind === 'given-up')
  if (!fail.sticky && givenUp.length > 0) faults.push(`${givenUp.length} appends did not succeed after one failure`)
  // A full disk can be read: a write that found no space has not harmed the handle.
  const reads = lines.filter((line) => line.kind === 'read')
  const readable = !fail.sticky || (fail.errno === 28 && fail.kinds === 1 && reads.length > 0)
  if (readable && !reads.some((line) => line.ok)) faults.push('the history could not be read')
  faults.push(...(await examine(file, lines)))
  return {
    fail,
    codes: failures.map((line) => line.code),
    unknown: failures.filter((line) => line.code === 'store/unknown').length,
    faults,
  }
}

/** The disk is sound again: nothing acknowledged is lost, and everything given up can be stored, once. */
async function examine(file: string, lines: readonly StubbornLine[]): Promise<readonly string[]> {
  const ledger = new Ledger()
  for (const line of lines) if (line.kind === 'message' || line.kind === 'revised') ledger.add(line)
  await using memory = await openMemory(file)
  const before = await ledger.compare(memory, 'acme/ada')
  for (const line of lines) if (line.kind === 'given-up') await resolve(memory, line.session, line.id)
  const after = await ledger.check(memory, 'acme/ada')
  return [before, after].flatMap(({ lost, wrong }) => [...lost.map((line) => `lost: ${line}`), ...wrong])
}

async function resolve(memory: Memory, sessionId: string, id: string): Promise<void> {
  const session = memory.scope('acme/ada').session(sessionId)
  await session.append({ role: 'user', id, content: textOf(id, 6_000) })
  const copies = (await session.history()).filter((message) => message.id === id)
  if (copies.length !== 1) throw new Error(`${id} is there ${copies.length} times`)
}

/** How many calls of a sound run could fail. */
async function countCalls(library: string): Promise<number> {
  using folder = new Folder()
  const env = shimEnvironment(library, { match: `${NAME}.db`, journal: folder.file('journal') })
  await new Child(WRITER, [folder.file(`${NAME}.db`)], { env }).run()
  return readJournal(folder.file('journal')).filter(
    ({ kind }) => kind === 'write' || kind === 'sync' || kind === 'truncate',
  ).length
}

async function runAll(library: string, fails: readonly Fail[]): Promise<readonly Outcome[]> {
  const waiting = [...fails]
  const outcomes: Outcome[] = []
  const worker = async (): Promise<void> => {
    for (let fail = waiting.shift(); fail !== undefined; fail = waiting.shift()) outcomes.push(await run(library, fail))
  }
  await Promise.all(Array.from({ length: RUNS_AT_ONCE }, worker))
  return outcomes
}

describeWithShim('a failing disk', (library) => {
  beforeAll(() => warm(WRITER))

  it('[show-3] loses nothing and damages nothing, whichever call fails, once or for ever', { timeout }, async () => {
    const calls = await countCalls(library)
    const step = times({ daily: 5, nightly: 1 })
    const fails: Fail[] = []
    for (let at = 1; at <= calls; at += step) {
      // By day a failing and a full disk take turns; by night each call meets both.
      const kinds = step === 1 ? ([5, 28] as const) : ([at % 2 === 0 ? 5 : 28] as const)
      for (const errno of kinds) for (const sticky of [false, true]) fails.push({ at, errno, sticky })
    }
    // Syncs are few among writes: each of them fails as well, on its own count.
    for (let at = 1; at <= 30; at += 1) fails.push({ at, errno: 5, sticky: at % 2 === 0, kinds: 2 })
    for (let at = 1; at <= 4; at += 1) fails.push({ at, errno: 5, sticky: false, kinds: 4 })
    for (let at = 60; at <= calls; at += 40) fails.push({ at, errno: 28, sticky: true, kinds: 1 })
    const outcomes = await runAll(library, fails)
    const codes = Object.entries(
      Object.groupBy(
        outcomes.flatMap((outcome) => outcome.codes),
        (code) => code,
      ),
    )
    figures('failing disk', {
      runs: outcomes.length,
      'calls per run': calls,
      'runs with a failure': outcomes.filter((outcome) => outcome.codes.length > 0).length,
      unknown: outcomes.reduce((sum, outcome) => sum + outcome.unknown, 0),
      faults: outcomes.reduce((sum, outcome) => sum + outcome.faults.length, 0),
      codes: codes.map(([code, all]) => `${code} ${all?.length}`).join(' '),
    })
    expect(
      outcomes.filter((outcome) => outcome.faults.length > 0).map(({ fail, faults }) => ({ fail, faults })),
    ).toEqual([])
    expect(outcomes.some((outcome) => outcome.unknown > 0)).toBe(true)
  })

  it('[show-3] is noticed by this test when a writer acknowledges what failed', async () => {
    const lost: string[] = []
    // How many calls come before the first append is not the same in every version.
    for (const at of [150, 200, 250, 300, 350, 400]) {
      const { faults } = await run(library, { at, errno: 5, sticky: true }, 'careless')
      lost.push(...faults.filter((fault) => fault.startsWith('lost')))
    }
    expect(lost).not.toEqual([])
  })
})
