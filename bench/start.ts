import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Figure, median } from './measure.ts'

const RUNS = 15

/** [show-5] Import the built package, open a new file, append once: how much longer than starting Node and ending at once. */
export async function startBenchmark(directory: string): Promise<readonly Figure[]> {
  const root = join(import.meta.dirname, '..')
  execFileSync(process.execPath, [join(root, 'node_modules/tsdown/dist/run.mjs'), '--log-level', 'error'], {
    cwd: root,
  })
  const entry = pathToFileURL(join(root, 'dist/index.js')).href
  const program = (file: string): string =>
    `const { openMemory } = await import(${JSON.stringify(entry)}); const memory = await openMemory(${JSON.stringify(file)}); await memory.scope('a').session('s').append({ role: 'user', content: 'Hello' })`
  const extra: number[] = []
  for (let run = 0; run < RUNS; run++) {
    const bare = timed('0')
    extra.push(timed(program(join(directory, `start-${run}.db`))) - bare)
  }
  return [
    {
      requirement: '[show-5]',
      what: "import + open + first append, beyond Node's own start",
      value: median(extra),
      unit: ' ms',
      goal: { atMost: 150 },
      note: `worst ${Math.max(...extra).toFixed(0)} ms`,
    },
  ]
}

function timed(program: string): number {
  const start = performance.now()
  execFileSync(process.execPath, ['--input-type=module', '--eval', program], { stdio: 'inherit' })
  return performance.now() - start
}
