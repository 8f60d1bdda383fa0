// Runs test tiers one after the other; the last line of the output is `N passed, N failed`.
//
//   node scripts/test.ts unit test/tokens      what follows the tiers goes to vitest
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'

import { checks, runChecks } from './checks.ts'
import { runTool } from './run.ts'
import { addCounts, countReport } from './test-counts.ts'
import type { Counts } from './test-counts.ts'
import { testFailures } from './test-failures.ts'

const tiers: Readonly<Record<string, (args: readonly string[]) => Promise<Counts>>> = {
  check: runCheckTier,
  unit: (args) => vitest(['unit'], 'daily', args),
  laws: (args) => vitest(['laws'], 'daily', args),
  fault: (args) => vitest(['fault'], 'daily', args),
  doors: (args) => vitest(['doors'], 'daily', args),
  // The laws and faults with larger numbers: see test/tier.ts.
  nightly: (args) => vitest(['laws', 'fault'], 'nightly', args),
  soak: (args) => vitest(['soak'], 'soak', args),
}

const args = process.argv.slice(2)
const end = args.findIndex((arg) => !(arg in tiers))
const wanted = end === -1 ? args : args.slice(0, end)
const rest = end === -1 ? [] : args.slice(end)

const failures: string[] = []
let total: Counts = { passed: 0, failed: 0 }
for (const tier of wanted) {
  total = addCounts(total, (await tiers[tier]?.(rest)) ?? { passed: 0, failed: 1 })
}
// A run that tested nothing has not passed.
if (total.passed + total.failed === 0) total = { passed: 0, failed: 1 }
process.exitCode = total.failed === 0 ? 0 : 1
// Again at the end: a log of thousands of lines is often cut to its last ones.
for (const failure of failures) console.log(failure)
console.log(`${total.passed} passed, ${total.failed} failed`)

async function runCheckTier(): Promise<Counts> {
  const failed = await runChecks(checks)
  if (failed > 0) failures.push('FAILED checks: see above')
  return { passed: checks.length - failed, failed }
}

async function vitest(projects: readonly string[], tier: string, filters: readonly string[]): Promise<Counts> {
  const folder = await mkdtemp(join(tmpdir(), 'daybook-test-'))
  const report = join(folder, 'report.json')
  try {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
    const options = { env: { ...process.env, DAYBOOK_TIER: tier }, show: true }
    // Vitest leaves a core to the machine: of two that is half of them.
    const workers = `--maxWorkers=${availableParallelism()}`
    const { code } = await runTool(
      'vitest',
      ['run', ...projects.map((name) => `--project=${name}`), workers, ...reporters, ...filters],
      options,
    )
    const text = await readFile(report, 'utf8').catch(() => undefined)
    if (text !== undefined) failures.push(...testFailures(text))
    return countReport(text, code)
  } finally {
    await rm(folder, { recursive: true })
  }
}
