import { join } from 'node:path'
import BetterSqlite from 'better-sqlite3'
import { openMemory } from '../src/memory/open-memory.ts'
import { type Figure, median } from './measure.ts'

const FACTS = 100_000
const ENTITIES = 20_000
const READS = 2_000

/** [fact-11] [know-6] Facts of a subject and one hop of the graph at 100,000 facts, beside a bare indexed SELECT. */
export async function factsBenchmark(directory: string): Promise<readonly Figure[]> {
  const file = join(directory, 'facts.db')
  const memory = await openMemory(file)
  const scope = memory.scope('bench')
  const started = performance.now()
  for (let done = 0; done < FACTS; done += 1_000) {
    await scope.remember(
      Array.from({ length: 1_000 }, (_, index) => {
        const fact = done + index
        return {
          subject: `Person ${fact % ENTITIES}`,
          predicate: ['knows', 'met', 'likes', 'trusts', 'helped'][Math.floor(fact / ENTITIES)] ?? 'knows',
          object: { entity: `Person ${(fact * 7_919 + 13) % ENTITIES}` },
        }
      }),
    )
  }
  const stored = performance.now() - started
  const bare = new BetterSqlite(file, { readonly: true })
  const select = bare.prepare('SELECT body FROM facts WHERE scope = ? AND subject = ? AND until = 9000000000000000')
  const times = { select: [] as number[], facts: [] as number[], graph: [] as number[], path: [] as number[] }
  for (let read = 0; read < READS; read++) {
    const [one, other] = [(read * 31) % ENTITIES, (read * 17 + 5) % ENTITIES]
    times.select.push(await timed(() => select.all('bench', `=PERSON ${one}`)))
    times.facts.push(await timed(() => scope.facts({ subject: `Person ${one}` })))
    times.graph.push(await timed(() => scope.graph({ around: `Person ${one}` })))
    if (read % 20 === 0) times.path.push(await timed(() => scope.path(`Person ${one}`, `Person ${other}`)))
  }
  bare.close()
  await memory.close()
  const p = (list: readonly number[], share: number): number =>
    list.toSorted((a, b) => a - b)[Math.floor(list.length * share)] ?? Number.NaN
  const note = (list: readonly number[]): string =>
    `p50 ${median(list).toFixed(3)} ms, p99 ${p(list, 0.99).toFixed(3)} ms; bare SELECT p50 ${median(times.select).toFixed(3)} ms`
  const figure = (what: string, list: readonly number[], atMost: number): Figure => ({
    requirement: '[fact-11] [know-6]',
    what: `${what}, ${FACTS.toLocaleString('en')} facts`,
    value: median(list),
    unit: ' ms',
    goal: { atMost },
    note: note(list),
  })
  return [
    figure('facts of one subject', times.facts, 0.5),
    figure('graph, one hop', times.graph, 1),
    figure('shortest path', times.path, 50),
    {
      requirement: '[know-6]',
      what: 'remember, 1,000 facts a call',
      value: FACTS / (stored / 1_000),
      unit: '/s',
      goal: { atLeast: 5_000 },
      note: `${FACTS.toLocaleString('en')} facts between ${ENTITIES.toLocaleString('en')} entities in ${(stored / 1_000).toFixed(1)} s`,
    },
  ]
}

async function timed(run: () => unknown): Promise<number> {
  const start = performance.now()
  await run()
  return performance.now() - start
}
