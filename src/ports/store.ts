import type { AccessStore } from './access-store.ts'
import type { CalibrationStore } from './calibration-store.ts'
import type { ErasureStore } from './erasure-store.ts'
import type { KnowledgeStore } from './knowledge-store.ts'
import type { JobStore } from './job-store.ts'
import type { LearnStore } from './learn-store.ts'
import type { LogStore } from './log-store.ts'
import type { RetentionStore } from './retention-store.ts'
import type { VectorStore } from './vector-store.ts'
import type { RecallStore } from './recall-store.ts'

/** One step of a schema, and when it was taken. */
export interface AppliedMigration {
  readonly number: number
  readonly name: string
  /** Milliseconds since 1970. */
  readonly appliedAt: number
}

/** An opened database with all that is kept in it. */
export interface Store {
  readonly log: LogStore
  readonly knowledge: KnowledgeStore
  readonly calibrations: CalibrationStore
  readonly vectors: VectorStore
  readonly jobs: JobStore
  readonly learning: LearnStore
  readonly recall: RecallStore
  readonly access: AccessStore
  readonly erasure: ErasureStore
  readonly retention: RetentionStore
  /** The database's own check of its file: what is wrong, or nothing. */
  check(): Promise<readonly string[]>
  /** The steps that made its schema, oldest first: their count is its version. */
  migrations(): Promise<readonly AppliedMigration[]>
  close(): Promise<void>
}
