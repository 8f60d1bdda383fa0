import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { type Figure, median, met } from './measure.ts'

const ROOT = join(import.meta.dirname, '..')
const ROUNDS = 3
const execute = promisify(execFile)

type Benchmark = (directory: string) => Promise<readonly Figure[]>

/** One figure of every round, before and now. */
interface Pair {
  readonly figure: Figure
  readonly before: number[]
  readonly now: number[]
}

/**
 * [contexts-79] Runs benchmarks on this checkout and on another commit in one process, in turns, and prints both values and their
 * ratio. Both sides are measured by the benchmarks of this checkout: only the sources differ.
 */
export async function runBeside(names: readonly string[], commit: string): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'daybook-beside-'))
  const tree = join(directory, 'before')
  try {
    await checkOut(tree, commit)
    for (const name of names) {
      const sides = [await benchmarkOf(tree, name), await benchmarkOf(ROOT, name)] as const
      const pairs = new Map<string, Pair>()
      for (let round = 0; round < ROUNDS; round++)
        // Each goes first every other time.
        for (const side of round % 2 === 0 ? (['before', 'now'] as const) : (['now', 'before'] as const))
          await measure(sides[side === 'before' ? 0 : 1], { side, pairs, directory })
      for (const pair of pairs.values()) process.stdout.write(`${lineOf(pair)}\n`)
    }
  } finally {
    await execute('git', ['worktree', 'remove', '--force', tree], { cwd: ROOT }).catch(() => undefined)
    rmSync(directory, { recursive: true, force: true })
  }
}

/** The sources of a commit, with the benchmarks and the packages of this checkout. */
async function checkOut(tree: string, commit: string): Promise<void> {
  await execute('git', ['worktree', 'add', '--detach', tree, commit], { cwd: ROOT })
  rmSync(join(tree, 'bench'), { recursive: true, force: true })
  cpSync(join(ROOT, 'bench'), join(tree, 'bench'), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(tree, 'node_modules'))
}

/** By the rule that all files in this folder follow: `keptContexts` is `keptContextsBenchmark` in `kept-contexts.ts`. */
async function benchmarkOf(tree: string, name: string): Promise<Benchmark> {
  const file = `${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.ts`
  const module = (await import(pathToFileURL(join(tree, 'bench', file)).href)) as Readonly<Record<string, Benchmark>>
  const benchmark = module[`${name}Benchmark`]
  if (benchmark === undefined) throw new Error(`No benchmark ${name} in ${file}`)
  return benchmark
}

async function measure(
  benchmark: Benchmark,
  {
    side,
    pairs,
    directory,
  }: { readonly side: 'before' | 'now'; readonly pairs: Map<string, Pair>; readonly directory: string },
): Promise<void> {
  const own = mkdtempSync(join(directory, `${side}-`))
  for (const figure of await benchmark(own)) {
    const pair = pairs.get(figure.what) ?? { figure, before: [], now: [] }
    pair[side].push(figure.value)
    pairs.set(figure.what, pair)
  }
  rmSync(own, { recursive: true })
}

function lineOf({ figure, before, now }: Pair): string {
  const [was, is] = [median(before), median(now)]
  const goal = 'atLeast' in figure.goal ? `≥ ${figure.goal.atLeast}` : `≤ ${figure.goal.atMost}`
  const isMet = met({ ...figure, value: is }) ? 'met   ' : 'missed'
  return `${isMet}  ${was.toFixed(2)} before, ${is.toFixed(2)}${figure.unit} now, ratio ${(is / was).toFixed(3)} (goal ${goal}${figure.unit})  ${figure.what}: ${figure.note}  ${figure.requirement}`
}
