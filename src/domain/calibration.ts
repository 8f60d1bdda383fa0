/**
 * What one scope's usage reports say about a model: how many tokens its provider counts for each estimated one. Plain data,
 * stored as JSON.
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
  readonly lastIgnored?: 'not-a-count' | 'too-small' | 'implausible' | 'switched-off'
}
