/**
 * What was learned about one model from the usage its provider reported: how many tokens it counts for each that was
 * estimated. Plain data, stored as JSON; a session's compaction does not change it, as it is about the model.
 */
export interface Calibration {
  readonly model: string
  /** Reports that counted. */
  readonly samples: number
  /** Reported over estimated tokens: between 0.1 and 10. */
  readonly ratio: number
  /** How far, in the mean, a report was from the ratio before it: 0.05 is five per cent. */
  readonly spread: number
  /** Reports that were left out, and why the last of them was. */
  readonly ignored: number
  readonly lastIgnored?: 'not-a-count' | 'too-small' | 'implausible'
}
