import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, symlinkSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Figure } from './measure.ts'

const ROOT = join(import.meta.dirname, '..')
const CHILD = fileURLToPath(new URL('children/posting.ts', import.meta.url))
const QUESTIONS = 100
/** Messages of 2 kB. 60,000 take an hour on two cores: `DAYBOOK_BENCH_MESSAGES=1000,10000,60000`. */
const SIZES = (process.env['DAYBOOK_BENCH_MESSAGES'] ?? '1000,10000').split(',').map(Number)
/** What the figures are compared with. */
const BEFORE = process.env['DAYBOOK_BENCH_BEFORE'] ?? 'HEAD~1'

interface Measured {
  readonly perCoreSecond: number
  readonly indexShare: number
  readonly longestMs: number
  readonly p50: number
  readonly p95: number
  readonly plainP50: number
  readonly plainP95: number
  readonly rssMb: number
}

interface Size {
  readonly count: number
  readonly characters: number
  readonly sessions: number
}

/** [found-40] What indexing and asking cost, beside FTS5 alone and beside the commit before, all in one run. */
export async function postingBenchmark(directory: string): Promise<readonly Figure[]> {
  const before = checkout(directory)
  const measure = (size: Size): Both => ({
    now: child(ROOT, directory, size),
    before: before === undefined ? undefined : child(before, directory, size),
  })
  const short = measure({ count: 5_000, characters: 60, sessions: 10 })
  const figures: Figure[] = [
    figure('index of messages of 60 bytes', [3, '× text'], short, ({ indexShare }) => indexShare),
    figure('recall over 5,000 messages in 10 sessions, p50', [10, ' ms'], short, ({ p50 }) => p50),
  ]
  const many = measure({ count: 5_000, characters: 60, sessions: 2_500 })
  figures.push(figure('the same in 2,500 sessions', [1.3, '×'], ratioOf(many, short), ({ p50 }) => p50))
  for (const count of SIZES) {
    const long = measure({ count, characters: 2_000, sessions: Math.ceil(count / 500) })
    const of = `${count} messages of 2 kB`
    const { perCoreSecond } = long.now
    figures.push(
      {
        ...figure(`${of}, indexed in a second of one core`, [0, '/s'], long, (one) => one.perCoreSecond),
        value: perCoreSecond,
        goal: { atLeast: 2_000 },
      },
      figure(`index of ${of}`, [1, '× text'], long, ({ indexShare }) => indexShare),
      figure(`longest task while ${of} are indexed`, [20, ' ms'], long, ({ longestMs }) => longestMs),
      count <= 1_000
        ? figure(`recall over ${of}, p50`, [3, ' ms'], long, ({ p50 }) => p50)
        : figure(
            `recall over ${of} beside FTS5, p50`,
            [count <= 10_000 ? 3 : 1, '×'],
            long,
            (one) => one.p50 / one.plainP50,
          ),
      figure(
        `recall over ${of} beside FTS5, p95`,
        [count <= 10_000 ? 3 : 1, '×'],
        long,
        (one) => one.p95 / one.plainP95,
      ),
      figure(`memory after ${of}`, [200, ' MB'], long, ({ rssMb }) => rssMb),
    )
  }
  return figures
}

interface Both {
  readonly now: Measured
  readonly before: Measured | undefined
}

function ratioOf(some: Both, others: Both): Both {
  const ratio = (one: Measured, other: Measured): Measured => ({ ...one, p50: one.p50 / other.p50 })
  return {
    now: ratio(some.now, others.now),
    before: some.before && others.before && ratio(some.before, others.before),
  }
}

function figure(
  what: string,
  [atMost, unit]: readonly [number, string],
  { now, before }: Both,
  of: (one: Measured) => number,
): Figure {
  const was = before === undefined ? 'no commit before to compare with' : `${of(before).toFixed(2)}${unit} at ${BEFORE}`
  return { requirement: '[found-40]', what, value: of(now), unit, goal: { atMost }, note: was }
}

function child(root: string, directory: string, size: Size): Measured {
  const task = { directory: mkdtempSync(join(directory, 'posting-')), questions: QUESTIONS, ...size }
  return JSON.parse(
    execFileSync(process.execPath, [join(root, relative(ROOT, CHILD)), JSON.stringify(task)], { encoding: 'utf8' }),
  ) as Measured
}

/** The sources of the commit before, with today's packages and today's child. Nothing where there is no repository. */
function checkout(directory: string): string | undefined {
  const folder = join(directory, 'before')
  mkdirSync(join(folder, 'bench/children'), { recursive: true })
  try {
    const archive = execFileSync('git', ['archive', BEFORE, 'src', 'package.json'], { cwd: ROOT, maxBuffer: 2 ** 30 })
    execFileSync('tar', ['-x', '-C', folder], { input: archive })
  } catch {
    return undefined
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  cpSync(CHILD, join(folder, relative(ROOT, CHILD)))
  return folder
}
