import { defined } from '../domain/defined.ts'
import type { Finding, PatchOperation, DocumentLocation } from './finding.ts'
import { pointerOf } from './pointer.ts'
import type { ReadDocument } from './read-document.ts'
import { doctorChecks } from './rules/index.ts'
import type { DoctorProblem } from './rules/problem.ts'
import type { Specimen } from './specimen.ts'
import { doctorRules } from './rules/table.ts'
import type { Edit } from './tree.ts'

/** What the rules find, without those that are not wanted. */
export function documentProblems(specimen: Specimen, ignore: readonly string[]): readonly DoctorProblem[] {
  return doctorChecks.flatMap((rule) => [...rule(specimen)].filter((problem) => !ignore.includes(problem.rule)))
}

/** The same for people: with places instead of paths, and with what was wrong before anything could be read. */
export function findingsOf(document: ReadDocument, problems: readonly DoctorProblem[]): readonly Finding[] {
  return [
    ...document.problems.map(({ rule, line, message, fix }): Finding => ({
      rule,
      topic: doctorRules[rule]?.topic ?? 'torn',
      severity: 'error',
      place: defined({ line }),
      message,
      fix,
    })),
    ...problems.map(({ rule, topic, severity, path, message, fix, edits }): Finding => ({
      rule,
      topic,
      severity,
      place: placeOf(document, path),
      message,
      ...defined({ fix }),
      ...(edits === undefined ? {} : { patch: edits.map(stepOf) }),
    })),
  ]
}

function placeOf({ form, lines }: ReadDocument, path: DoctorProblem['path']): DocumentLocation {
  const [record] = path
  const line = form === 'json-lines' && typeof record === 'number' ? lines[record] : undefined
  return line === undefined ? { pointer: pointerOf(path) } : { line, pointer: pointerOf(path.slice(1)) }
}

function stepOf({ path, value }: Edit): PatchOperation {
  const pointer = pointerOf(path)
  return value === undefined ? { op: 'remove', path: pointer } : { op: 'replace', path: pointer, value }
}
