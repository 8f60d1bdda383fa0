export interface Counts {
  readonly passed: number
  readonly failed: number
}

/** The part of vitest's JSON report that is counted. */
interface Report {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly testResults: readonly {
    readonly status: string
    readonly assertionResults: readonly { readonly status: string }[]
  }[]
}

export function addCounts(a: Counts, b: Counts): Counts {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed }
}

/**
 * Counts the tests of a report. A file that failed without a failed test (it did not load, a hook threw) is one
 * failure; so is a run that wrote no report, had no tests, or failed for a reason that no test has.
 */
export function countReport(text: string | undefined, exitCode: number): Counts {
  if (text === undefined) return { passed: 0, failed: 1 }
  const report = JSON.parse(text) as Report
  const broken = report.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  ).length
  const passed = report.numPassedTests
  const failed = report.numFailedTests + broken
  return { passed, failed: failed === 0 && (exitCode !== 0 || passed === 0) ? 1 : failed }
}
