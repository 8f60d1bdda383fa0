import { describe, expect, it } from 'vitest'

import { addCounts, countReport } from '../../scripts/test-counts.ts'
import { testFailures } from '../../scripts/test-failures.ts'
import { runTool } from '../../scripts/run.ts'

function report(...files: readonly (readonly string[])[]): string {
  const tests = files.flat()
  return JSON.stringify({
    numPassedTests: tests.filter((status) => status === 'passed').length,
    numFailedTests: tests.filter((status) => status === 'failed').length,
    testResults: files.map((statuses) => ({
      status: statuses.length === 0 || statuses.includes('failed') ? 'failed' : 'passed',
      assertionResults: statuses.map((status) => ({ status })),
    })),
  })
}

describe('the test runner', () => {
  it('[repo-14] counts what passed and what failed', () => {
    expect(countReport(report(['passed', 'passed'], ['failed', 'passed']), 1)).toEqual({ passed: 3, failed: 1 })
    expect(addCounts({ passed: 1, failed: 2 }, { passed: 3, failed: 4 })).toEqual({ passed: 4, failed: 6 })
  })

  it('[repo-14] counts a file that did not load as a failure', () => {
    expect(countReport(report(['passed'], []), 1)).toEqual({ passed: 1, failed: 1 })
  })

  it('[repo-14] never calls a run without tests, without a report or with a stray error passed', () => {
    expect(countReport(report(['skipped']), 0)).toEqual({ passed: 0, failed: 1 })
    expect(countReport(report(['passed']), 1)).toEqual({ passed: 1, failed: 1 })
    expect(countReport(undefined, 0)).toEqual({ passed: 0, failed: 1 })
  })

  it('[repo-14] names what failed, with its message, and a file that did not load', () => {
    const text = JSON.stringify({
      testResults: [
        {
          name: `${process.cwd()}/test/a.test.ts`,
          status: 'failed',
          assertionResults: [
            { status: 'passed', fullName: 'adds' },
            { status: 'passed', fullName: 'multiplies', failureMessages: ['Error: 2'] },
            { status: 'failed', fullName: 'divides', failureMessages: ['Error: 1\n\n  at a.ts:1'] },
          ],
        },
        { name: `${process.cwd()}/test/b.test.ts`, status: 'failed', message: 'no such module', assertionResults: [] },
        { name: `${process.cwd()}/test/c.test.ts`, status: 'passed', assertionResults: [] },
      ],
    })
    expect(testFailures(text)).toEqual([
      'FAILED test/a.test.ts > divides\n  | Error: 1\n  |   at a.ts:1',
      'UNSTABLE test/a.test.ts > multiplies\n  | Error: 2',
      'FAILED test/b.test.ts\n  | no such module',
    ])
  })

  it('[repo-14] ends with the count, and fails when something failed', async () => {
    const good = await runTool('scripts/test.ts', ['unit', 'test/repository/requirements', '-t', 'have an id each'])
    expect(good.output).toMatch(/\n1 passed, 0 failed\n$/)
    expect(good.code).toBe(0)
    const none = await runTool('scripts/test.ts', ['unit', 'test/no-such-file'])
    expect(none.output).toMatch(/\n0 passed, 1 failed\n$/)
    expect(none.code).toBe(1)
    const unknown = await runTool('scripts/test.ts', [])
    expect(unknown.output).toMatch(/0 passed, 1 failed\n$/)
    expect(unknown.code).toBe(1)
  })
})
