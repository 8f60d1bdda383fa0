import type { Policy } from '../../api/policy.ts'

/**
 * Forge (ADR 7): all system messages, then the newest that fit. That is what assembling does with any window, so there is
 * nothing to compact: nothing is ever folded, and each context leaves out what does not fit.
 */
export function recency(): Policy {
  return { name: 'recency', high: {}, low: {}, steps: [], advance: 'until-low' }
}
