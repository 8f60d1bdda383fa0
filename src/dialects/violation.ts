/** Where in a transcript: object keys and array indexes from the value that was passed in. */
export type TranscriptPath = readonly (string | number)[]

export type Severity = 'error' | 'warning'

/** One broken rule. `rule` is an id of the table in `rules.ts`. */
export interface Violation {
  readonly rule: string
  /** `error`: the provider rejects the request. `warning`: accepted but degraded, or not confirmed by a source. */
  readonly severity: Severity
  readonly path: TranscriptPath
  readonly message: string
}
