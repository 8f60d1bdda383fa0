import type { Calibration } from '../domain/calibration.ts'

/** Whose reports, about which model, and the tokenizer whose counts are compared with it. */
export interface CalibrationKey {
  readonly scope: string
  readonly model: string
  readonly tokenizer: string
}

/** What was learned about how a model counts tokens, separately for each scope that reported usage. */
export interface CalibrationStore {
  read(key: CalibrationKey): Promise<Calibration | undefined>
  /** Replaces it by what `next` makes of the current one, in one transaction: two processes never lose a sample. */
  update(key: CalibrationKey, next: (current: Calibration | undefined) => Calibration): Promise<Calibration>
}
