import type { Calibration } from '../domain/calibration.ts'

/** What was learned about a model's own way of counting tokens. */
export interface CalibrationStore {
  read(model: string): Promise<Calibration | undefined>
  /** Replaces it by what `next` makes of the current one, in one transaction: two processes never lose a sample. */
  update(model: string, next: (current: Calibration | undefined) => Calibration): Promise<Calibration>
}
