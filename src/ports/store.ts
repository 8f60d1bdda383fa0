import type { CalibrationStore } from './calibration-store.ts'
import type { LogStore } from './log-store.ts'
import type { RecallStore } from './recall-store.ts'

/** An opened database with all that is kept in it. */
export interface Store {
  readonly log: LogStore
  readonly calibrations: CalibrationStore
  readonly recall: RecallStore
  /** The database's own check of its file: what is wrong, or nothing. */
  check(): Promise<readonly string[]>
  close(): Promise<void>
}
