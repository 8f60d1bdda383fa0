import type { Policy, RollingNumbers } from '../../api/policy.ts'
import { refuse } from '../../domain/refuse.ts'
import { checkNumbers } from './check-numbers.ts'

/** What the summaries may take together. The original let them grow without end; the number is ours. */
const SUMMARY_TOKENS = 8_000

/**
 * Hypr-Claw: over 50 entries, all but the newest 30 become a summary; over 100,000 tokens, so does the older half, and only if
 * the first did not help. Its summary has a budget here, and a bundle on the edge is kept whole.
 */
export function rolling(numbers: RollingNumbers = {}): Policy {
  checkNumbers('rolling', numbers, { keep: 'count', at: 'count', tokens: 'count' })
  const { keep = 30, at = 50, tokens = 100_000 } = numbers
  if (keep >= at) refuse('make the policy rolling', 'keep', keep, `fewer than the ${at} entries at which it starts`)
  return {
    name: 'rolling',
    high: { mark: { tokens }, entries: at },
    low: { mark: { tokens }, entries: at },
    steps: [
      { stage: 'summarise', unit: 'folds', summaryTokensMax: SUMMARY_TOKENS },
      { stage: 'summarise', unit: 'range', entriesOver: at, keepLast: keep, tokensMax: 2_000 },
      { stage: 'summarise', unit: 'range', take: 'half', tokensMax: 2_000 },
    ],
    advance: 'until-low',
  }
}
