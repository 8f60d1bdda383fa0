import type { JSONValue } from '../../domain/json.ts'
import type { TranscriptPath, Severity } from '../../dialects/violation.ts'
import type { Topic } from '../finding.ts'
import type { Specimen } from '../specimen.ts'
import type { Edit } from '../tree.ts'

/** What a rule found. */
export interface DoctorProblem {
  readonly rule: string
  readonly topic: Topic
  readonly severity: Severity
  /** Within the file. */
  readonly path: TranscriptPath
  readonly message: string
  readonly fix?: string
  /** What the fix does to the file, where it is not the business of `repair`. */
  readonly edits?: readonly Edit[]
}

export type DoctorRule = (specimen: Specimen) => Iterable<DoctorProblem>

/** Text of a JSON value, to compare by; `undefined` for what is not there. */
export function jsonText(value: JSONValue | undefined): string {
  return JSON.stringify(value) ?? ''
}
