import { join } from 'node:path'
import BetterSqlite from 'better-sqlite3'
import { openMemory } from '../src/memory/open-memory.ts'
import { type Figure, median } from './measure.ts'

const CHANGES = 400_000
const READS = 200

/** [surface-91] Facts, and facts as of a version, after two changes and after 400,000, beside counting the changes. */
export async function knowledgeVersionsBenchmark(directory: string): Promise<readonly Figure[]> {
  const file = join(directory, 'versions.db')
  const few = await readTimes(file, async (memory) => {
    await memory.scope('acme').remember({ subject: 'A', predicate: 'likes', object: 'tea' })
    await memory.scope('acme/ada').remember({ subject: 'B', predicate: 'likes', object: 'tea' })
  })
  const bare = new BetterSqlite(file)
  const insert = bare.prepare(
    `INSERT INTO knowledge_versions (root, version, scope, at, nth) VALUES ('acme', ?, 'acme', ?, ?)`,
  )
  bare.transaction(() => {
    for (let nth = 2; nth <= CHANGES; nth++) insert.run(nth + 1, Date.now(), nth)
    bare.prepare(`UPDATE facts SET revision = ? WHERE scope = 'acme/ada'`).run(CHANGES + 1)
  })()
  const count = bare.prepare(`SELECT COUNT(*) FROM knowledge_versions WHERE root = 'acme' AND scope = 'acme'`)
  const counted = await medianOf(() => count.get())
  bare.close()
  const many = await readTimes(file, async () => undefined)
  const figure = (what: string, ratio: number, note: string): Figure => ({
    requirement: '[surface-91]',
    what: `${what} after ${CHANGES.toLocaleString('en')} changes, times after two`,
    value: ratio,
    unit: ' x',
    goal: { atMost: 3 },
    note: `${note}; counting the changes ${counted.toFixed(2)} ms`,
  })
  const times = (a: number, b: number): string => `median ${b.toFixed(2)} ms, before ${a.toFixed(2)} ms`
  return [
    figure('facts()', many.facts / few.facts, times(few.facts, many.facts)),
    figure('facts({ asOf: { version } })', many.asOf / few.asOf, times(few.asOf, many.asOf)),
  ]
}

async function readTimes(
  file: string,
  prepare: (memory: Awaited<ReturnType<typeof openMemory>>) => Promise<void>,
): Promise<{ readonly facts: number; readonly asOf: number }> {
  await using memory = await openMemory(file, { learn: false })
  await prepare(memory)
  const scope = memory.scope('acme/ada')
  const version = await scope.knowledgeVersion()
  return {
    facts: await medianOf(() => scope.facts()),
    asOf: await medianOf((read) => scope.facts({ asOf: { version: version - (read % Math.min(version, 1_000)) } })),
  }
}

async function medianOf(run: (read: number) => unknown): Promise<number> {
  const taken: number[] = []
  for (let read = 0; read < READS; read++) {
    const start = performance.now()
    await run(read)
    taken.push(performance.now() - start)
  }
  return median(taken)
}
