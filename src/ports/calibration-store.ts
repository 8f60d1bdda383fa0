import type { Calibration } from '../domain/calibration.ts'

/** A model, and the tokenizer whose counts are compared with it. */
export interface CalibrationKey {
  readonly model: string
  readonly tokenizer: string
}

/** What was learned about a model's own way of counting tokens. */
export interface CalibrationStore {
  read(key: CalibrationKey): Promise<Calibration | undefined>
  /** Replaces it by what `next` makes of the current one, in one transaction: two processes never lose a sample. */
  update(key: CalibrationKey, next: (current: Calibration | undefined) => Calibration): Promise<Calibration>
}
