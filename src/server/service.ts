import type { Memory } from '../api/memory.ts'
import type { Gate } from './gate.ts'
import type { Health } from './health.ts'
import type { KeyReads } from './key-reads.ts'
import type { Limits } from './limits.ts'
import type { LogLine } from './log-line.ts'
import type { Metrics } from './metrics.ts'
import type { AuditTrail } from '../access/audit-trail.ts'
import type { Idempotency } from '../access/idempotency.ts'
import type { RequestDigests } from '../access/request-digests.ts'
import type { Telemetry } from './telemetry.ts'

/** What all requests of a server share. */
export interface Service {
  readonly memory: Memory
  readonly keys: KeyReads
  readonly limits: Limits
  readonly backups: string | undefined
  readonly now: () => number
  readonly gate: Gate
  /** By address: those who come with a wrong key. */
  readonly wrongKeys: Gate
  readonly idempotency: Idempotency
  readonly digests: RequestDigests
  readonly audit: AuditTrail
  readonly metrics: Metrics
  readonly health: Health
  readonly log: (line: LogLine) => void
  readonly telemetry: Telemetry | undefined
  /** Aborts when the server stops. */
  readonly stopping: AbortSignal
  /** Requests that are worked on. */
  readonly running: Set<Promise<unknown>>
}
