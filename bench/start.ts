import { execFile, execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { openMemory } from '../src/memory/open-memory.ts'
import { serve } from '../src/server/serve.ts'
import { serverBinaries } from '../test/postgres/server.ts'
import type { ModuleCosts } from './children/module-costs.ts'
import { type Figure, median } from './measure.ts'
import { benchDatabase, startBenchServer } from './postgres-server.ts'

const RUNS = 15
const MODULES_SHOWN = 6
const root = join(import.meta.dirname, '..')
const entry = pathToFileURL(join(root, 'dist/index.js')).href
const driver = pathToFileURL(join(root, 'node_modules/pg/esm/index.mjs')).href
const execute = promisify(execFile)

interface Kind {
  readonly where: string
  readonly atMost: number
  /** The address of a memory, for each run. */
  readonly address: (run: number) => string
  /** A program that connects and asks once, without us: what the network and the driver take. */
  readonly connect: string | undefined
}

/**
 * [show-5] [anywhere-26] Import the built package, open a memory, append once: how much longer than starting Node and ending at once,
 * and for a server than reaching it once without us.
 */
export async function startBenchmark(directory: string): Promise<readonly Figure[]> {
  execFileSync(process.execPath, [join(root, 'node_modules/tsdown/dist/run.mjs'), '--log-level', 'error'], {
    cwd: root,
  })
  const file = {
    where: 'a new file',
    atMost: 100,
    address: (run: number) => join(directory, `start-${run}.db`),
    connect: undefined,
  }
  const figures = [await measured(file)]
  process.stdout.write(`${await costs(join(directory, 'start-modules.db'))}\n`)
  await using memory = await openMemory(join(directory, 'start-server.db'), { learn: false })
  const server = await serve(memory, { port: 0, keyFile: join(directory, 'start.key') })
  const connect = `await (await fetch(${JSON.stringify(`${server.url}/health`)})).text()`
  figures.push(await measured({ where: 'a server', atMost: 60, address: () => server.link ?? server.url, connect }))
  await server.close()
  return serverBinaries() === undefined ? figures : [...figures, await onPostgres()]
}

async function onPostgres(): Promise<Figure> {
  const server = await startBenchServer()
  try {
    const { url, postgres } = await benchDatabase(server)
    await (await openMemory(url, { learn: false, postgres })).close()
    const connect = `const { default: pg } = await import(${JSON.stringify(driver)}); const client = new pg.Client(${JSON.stringify(url)}); await client.connect(); await client.query('SELECT 1'); await client.end()`
    return await measured({ where: 'PostgreSQL', atMost: 60, address: () => url, connect })
  } finally {
    await server.stop()
  }
}

async function measured({ where, atMost, address, connect = '0' }: Kind): Promise<Figure> {
  const extra: number[] = []
  const cpu: number[] = []
  for (let run = 0; run < RUNS; run++) {
    const bare = await timed(connect)
    const ours = await timed(
      `const { openMemory } = await import(${JSON.stringify(entry)}); const memory = await openMemory(${JSON.stringify(address(run))}); await memory.scope('a').session('s').append({ role: 'user', content: 'Hello' })`,
    )
    extra.push(ours.ms - bare.ms)
    cpu.push(ours.cpuMs - bare.cpuMs)
  }
  const beyond = connect === '0' ? "Node's own start" : 'Node and one connection'
  return {
    requirement: '[show-5] [anywhere-26]',
    what: `import + open + first append in ${where}, beyond ${beyond}`,
    value: median(extra),
    unit: ' ms',
    goal: { atMost },
    note: `CPU ${median(cpu).toFixed(0)} ms, best ${Math.min(...extra).toFixed(0)} ms, worst ${Math.max(...extra).toFixed(0)} ms`,
  }
}

/** Runs a program to its end, and ends it at once: what is left open is not measured. */
async function timed(program: string): Promise<{ readonly ms: number; readonly cpuMs: number }> {
  const start = performance.now()
  const told = `${program}; const { user, system } = process.cpuUsage(); require('node:fs').writeSync(1, String((user + system) / 1000)); process.exit(0)`
  const { stdout } = await execute(process.execPath, ['--eval', `(async () => { ${told} })()`])
  return { ms: performance.now() - start, cpuMs: Number(stdout) }
}

/** What each of the files costs that an append in a new file loads. */
async function costs(file: string): Promise<string> {
  const child = join(import.meta.dirname, 'children/module-costs.ts')
  const { stdout } = await execute(process.execPath, [child, entry, file])
  const { modules, import: imported, open, append } = JSON.parse(stdout) as ModuleCosts
  const shown = modules
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, MODULES_SHOWN)
    .map(({ name, ms }) => `${name} ${ms.toFixed(1)}`)
  return `        ${modules.length} modules ${imported.toFixed(1)} ms (${shown.join(', ')} …), open ${open.toFixed(1)} ms, first append ${append.toFixed(1)} ms`
}
