import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { appendBenchmark } from './append.ts'
import { archiveBenchmark } from './archive.ts'
import { cacheBenchmark } from './cache.ts'
import { contextBenchmark } from './context.ts'
import { digestsBenchmark } from './digests.ts'
import { factsBenchmark } from './facts.ts'
import { fidelityBenchmark } from './fidelity.ts'
import { inspectorBenchmark } from './inspector.ts'
import { keepersBenchmark } from './keepers.ts'
import { keptContextsBenchmark } from './kept-contexts.ts'
import { knowledgeVersionsBenchmark } from './knowledge-versions.ts'
import { learnBenchmark } from './learn.ts'
import { learnedBenchmark } from './learned.ts'
import { line } from './measure.ts'
import { mixedBenchmark } from './mixed.ts'
import { partitionsBenchmark } from './partitions.ts'
import { postgresBenchmark } from './postgres.ts'
import { postingBenchmark } from './posting.ts'
import { probesBenchmark } from './probes.ts'
import { recallBenchmark } from './recall.ts'
import { recentBenchmark } from './recent.ts'
import { runBeside } from './run-beside.ts'
import { serverBenchmark } from './server.ts'
import { stallsBenchmark } from './stalls.ts'
import { startBenchmark } from './start.ts'
import { turnsBenchmark } from './turns.ts'
import { vectorsBenchmark } from './vectors.ts'

const benchmarks = {
  append: appendBenchmark,
  start: startBenchmark,
  recent: recentBenchmark,
  context: contextBenchmark,
  keptContexts: keptContextsBenchmark,
  turns: turnsBenchmark,
  cache: cacheBenchmark,
  fidelity: fidelityBenchmark,
  keepers: keepersBenchmark,
  vectors: vectorsBenchmark,
  learn: learnBenchmark,
  learned: learnedBenchmark,
  probes: probesBenchmark,
  recall: recallBenchmark,
  posting: postingBenchmark,
  facts: factsBenchmark,
  knowledgeVersions: knowledgeVersionsBenchmark,
  server: serverBenchmark,
  mixed: mixedBenchmark,
  digests: digestsBenchmark,
  stalls: stallsBenchmark,
  archive: archiveBenchmark,
  inspector: inspectorBenchmark,
  postgres: postgresBenchmark,
  partitions: partitionsBenchmark,
}

/**
 * `npm run bench`, or `npm run bench -- append` for one of them. Prints each figure beside its goal; judges nothing else.
 * `npm run bench -- turns --beside HEAD~1` runs it on another commit too, in turns, and prints both values and their ratio.
 */
async function run(given: readonly string[]): Promise<void> {
  const { values, positionals: names } = parseArgs({
    args: [...given],
    allowPositionals: true,
    options: { beside: { type: 'string' } },
  })
  const unknown = names.find((name) => !(name in benchmarks))
  if (unknown !== undefined)
    throw new Error(`No benchmark ${unknown}: expected one of ${Object.keys(benchmarks).join(', ')}`)
  if (values.beside !== undefined) return runBeside(names.length === 0 ? Object.keys(benchmarks) : names, values.beside)
  const directory = mkdtempSync(join(tmpdir(), 'daybook-bench-'))
  try {
    for (const [name, benchmark] of Object.entries(benchmarks)) {
      if (names.length > 0 && !names.includes(name)) continue
      for (const figure of await benchmark(directory)) process.stdout.write(`${line(figure)}\n`)
    }
  } finally {
    rmSync(directory, { recursive: true })
  }
}

await run(process.argv.slice(2))
