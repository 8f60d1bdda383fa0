// Prints the figures of the goals for walls: what verify finds, what tenants see of each other, what hostile input does, and load.
//
//   npm run walls               small sizes, some minutes
//   npm run walls -- M9 M15     only these goals
//   npm run walls -- nightly    10,000 flipped bits, 100,000 requests of a thief for each wall, 50,000 malformed requests, ten minutes
//                               of mixed work, one hour of soak
import { runTool } from './run.ts'

const args = process.argv.slice(2)
const tier = args.includes('nightly') ? 'nightly' : 'daily'
const wanted = args.filter((arg) => arg !== 'nightly')
const env = { ...process.env, DAYBOOK_TIER: tier, DAYBOOK_SOAK_MINUTES: tier === 'nightly' ? '60' : '1' }

interface Part {
  readonly tool: string
  readonly args: readonly string[]
  /** Beginnings of the lines that are figures. */
  readonly shows: readonly string[]
}

const goals: readonly (readonly [goal: string, parts: readonly Part[]])[] = [
  [
    'M9  Changed bytes are found',
    [
      tests('fault', ['test/fault/bit-flips.test.ts', 'test/fault/every-column.test.ts'], ['one bit of a row']),
      benchmark('digests'),
    ],
  ],
  ['M11 No tenant sees another', [tests('fault', ['test/postgres/leaks.test.ts'], ['no filters', 'no row security'])]],
  [
    'M12 Hostile input stalls nobody',
    [tests('laws', ['test/property/server-fuzz.test.ts'], ['malformed requests']), benchmark('stalls')],
  ],
  ['M15 Load', [benchmark('server'), benchmark('mixed'), tests('soak', ['test/soak/append.test.ts'], ['soak'])]],
]

for (const [goal, parts] of goals) {
  if (wanted.length > 0 && !wanted.some((name) => goal.startsWith(`${name} `))) continue
  process.stdout.write(`${goal} (${tier} sizes)\n`)
  for (const { tool, args: given, shows } of parts) {
    const { code, output } = await runTool(tool, given, { env })
    for (const line of output.split('\n')) {
      // Colours of the test runner go.
      const plain = line.replaceAll(/\u001B\[[\d;]*m/g, '').trim()
      if (shows.some((begin) => plain.startsWith(begin))) process.stdout.write(`  ${plain}\n`)
    }
    if (code === 0) continue
    process.stdout.write(`  FAILED ${tool} ${given.join(' ')}\n${output.slice(-4_000)}\n`)
    process.exitCode = 1
  }
}

function tests(project: string, files: readonly string[], shows: readonly string[]): Part {
  return { tool: 'vitest', args: ['run', `--project=${project}`, ...files], shows }
}

function benchmark(name: string): Part {
  return { tool: 'bench/run.ts', args: [name], shows: ['met', 'missed'] }
}
