import { relative } from 'node:path'

/** The part of vitest's JSON report that says what failed. */
interface Report {
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly message?: string
    readonly assertionResults: readonly {
      readonly status: string
      readonly fullName: string
      readonly failureMessages?: readonly string[] | null
    }[]
  }[]
}

/** The longest message of a failed test that is shown. */
const MESSAGE_LENGTH = 1_500

/**
 * One paragraph for each failed test of a report, and for each file that failed without a failed test. A test that failed and passed
 * when it was run again is listed as UNSTABLE.
 */
export function testFailures(text: string): readonly string[] {
  const { testResults } = JSON.parse(text) as Report
  return testResults.flatMap((file) => {
    const name = relative(process.cwd(), file.name)
    const failed = file.assertionResults.filter((test) => test.status === 'failed')
    const unstable = file.assertionResults.filter(
      ({ status, failureMessages }) => status === 'passed' && (failureMessages?.length ?? 0) > 0,
    )
    const broken = file.status === 'failed' && failed.length === 0 ? [paragraph(`FAILED ${name}`, file.message)] : []
    const tests = (word: string, list: typeof failed): readonly string[] =>
      list.map((test) => paragraph(`${word} ${name} > ${test.fullName}`, test.failureMessages?.join('\n')))
    return [...broken, ...tests('FAILED', failed), ...tests('UNSTABLE', unstable)]
  })
}

function paragraph(title: string, message: string | undefined): string {
  const lines = (message ?? '').slice(0, MESSAGE_LENGTH).trimEnd().split('\n')
  return [title, ...lines.filter((line) => line !== '').map((line) => `  | ${line}`)].join('\n')
}
