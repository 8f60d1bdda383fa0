import type { Dialect } from '../domain/dialect.ts'
import { checkDialect, checkLintOptions } from './check-arguments.ts'
import type { Report } from './codec.ts'
import { codecs } from './codecs.ts'
import type { LintOptions } from './options.ts'
import type { TranscriptPath, Violation } from './violation.ts'
import { warningRules } from './warning-rules.ts'

/**
 * Which rules of a dialect a transcript breaks. A transcript without violations of severity `error` is clean: the
 * provider accepts its shape. Takes the messages or the request body they stand in, and any JSON at all.
 *
 * @throws {MemoryError} `input/invalid` for a dialect or an option that does not exist.
 */
export function lint(messages: unknown, dialect: Dialect, options: LintOptions = {}): readonly Violation[] {
  checkDialect('lint', 'dialect', dialect)
  checkLintOptions('lint', options)
  const report = createReport(options)
  codecs[dialect].lint(messages, report)
  return report.violations
}

function createReport(options: LintOptions): Report {
  const violations: Violation[] = []
  function add(rule: string, path: TranscriptPath, message: string, grade?: 'unconfirmed' | 'warning'): void {
    const lowered =
      warningRules.has(rule) || grade === 'warning' || (grade === 'unconfirmed' && options.unconfirmed !== 'error')
    violations.push({ rule, severity: lowered ? 'warning' : 'error', path, message })
  }
  return Object.assign(add, { violations, options })
}
