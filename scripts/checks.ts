import { runTool } from './run.ts'

export interface Check {
  readonly name: string
  readonly tool: string
  readonly args: readonly string[]
  /** Print what it measured when it passes too. */
  readonly measures?: boolean
}

/** What `npm run check` checks, cheapest first. Each counts as one test of `npm test`. */
export const checks: readonly Check[] = [
  { name: 'format', tool: 'oxfmt', args: ['--check'] },
  { name: 'words', tool: 'scripts/check-words.ts', args: [] },
  { name: 'lint', tool: 'oxlint', args: ['--deny-warnings'] },
  { name: 'types', tool: 'tsc', args: ['--noEmit'] },
  { name: 'page', tool: 'tsc', args: ['--noEmit', '-p', 'src/inspector'] },
  { name: 'dead', tool: 'knip', args: [] },
  { name: 'package', tool: 'scripts/check-package.ts', args: [], measures: true },
]

/** Runs checks one after the other and answers with the number that failed. The output of those is shown. */
export async function runChecks(wanted: readonly Check[]): Promise<number> {
  let failed = 0
  for (const check of wanted) {
    const start = performance.now()
    const { code, stdout, output } = await runTool(check.tool, check.args)
    const seconds = ((performance.now() - start) / 1_000).toFixed(1)
    if (code !== 0) {
      failed += 1
      console.log(output.trimEnd())
    } else if (check.measures === true) console.log(stdout.trimEnd())
    console.log(`${code === 0 ? 'ok    ' : 'FAILED'} check:${check.name} (${seconds} s)`)
  }
  return failed
}
