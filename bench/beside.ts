import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { median } from './measure.ts'

const ROUNDS = 9
const WARM_UP = 500
const APPENDS = 2_000
const execute = promisify(execFile)

/** A start in processor time, which depends less on what else the machine does; an append as its caller waits, without what runs after it. */
interface Taken {
  readonly startMs: number
  readonly appendUs: number
}

/**
 * [surface-90] Compares this checkout with another one, in turns and in one run: `node scripts/bootstrap.cjs bench/beside.ts ../before`.
 * Both must be built. Prints what import + open + first append and what one append take, and the ratios.
 */
async function run(other: string): Promise<void> {
  const checkouts = [resolve(other), join(import.meta.dirname, '..')] as const
  const directory = mkdtempSync(join(tmpdir(), 'daybook-beside-'))
  const taken: [Taken[], Taken[]] = [[], []]
  try {
    for (let round = 0; round < ROUNDS; round++)
      // Each goes first every other time.
      for (const which of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const))
        taken[which].push(await measure(checkouts[which], join(directory, `${round}-${which}.db`)))
  } finally {
    rmSync(directory, { recursive: true })
  }
  print('import + open + first append', ' ms', 'startMs', taken)
  print('append', ' µs', 'appendUs', taken)
}

async function measure(checkout: string, file: string): Promise<Taken> {
  const entry = pathToFileURL(join(checkout, 'dist/index.js')).href
  const program = `
    const used = () => { const { user, system } = process.cpuUsage(); return user + system }
    const begun = used()
    const { openMemory } = await import(${JSON.stringify(entry)})
    const memory = await openMemory(${JSON.stringify(file)}, { learn: false })
    const chat = memory.scope('a').session('s')
    await chat.append({ role: 'user', content: 'Hello' })
    const started = used()
    const waited = []
    for (let n = 0; n < ${WARM_UP + APPENDS}; n++) {
      const from = performance.now()
      await chat.append({ role: 'user', content: 'Where is order ' + n + '?' })
      if (n >= ${WARM_UP}) waited.push(performance.now() - from)
    }
    const taken = { startMs: (started - begun) / 1000, appendUs: waited.toSorted((a, b) => a - b)[${APPENDS / 2}] * 1000 }
    process.stdout.write(JSON.stringify(taken), () => process.exit(0))`
  const { stdout } = await execute(process.execPath, ['--input-type=module', '--eval', program])
  return JSON.parse(stdout) as Taken
}

function print(what: string, unit: string, of: keyof Taken, [before, now]: readonly [Taken[], Taken[]]): void {
  const [a, b] = [before, now].map((all) => all.map((one) => one[of])) as [number[], number[]]
  const ratios = a.map((value, round) => (b[round] ?? Number.NaN) / value)
  process.stdout.write(
    `${what}: ${median(a).toFixed(1)}${unit} before, ${median(b).toFixed(1)}${unit} now; ratio ${median(ratios).toFixed(3)} (best of each: ${(Math.min(...b) / Math.min(...a)).toFixed(3)})\n`,
  )
}

const [other] = process.argv.slice(2)
if (other === undefined) throw new Error('No checkout given to compare with: pass its folder')
await run(other)
