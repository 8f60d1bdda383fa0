import type { Policy } from '../../api/policy.ts'

/**
 * A policy whose high mark is above the budget, made smaller in proportion. Cut off at the budget, both of its marks would be the
 * same, and every message would cause a compaction.
 */
export function policyWithin(policy: Policy, budget: number): Policy {
  const { high, low, steps, advance } = policy
  if (advance !== 'until-low' || high.mark === undefined || !('tokens' in high.mark)) return policy
  const share = budget / high.mark.tokens
  if (share >= 1) return policy
  const scaled = (tokens: number): number => Math.floor(tokens * share)
  return {
    ...policy,
    high: { ...high, mark: { tokens: scaled(high.mark.tokens) } },
    low: low.mark !== undefined && 'tokens' in low.mark ? { ...low, mark: { tokens: scaled(low.mark.tokens) } } : low,
    steps: steps.map((step) =>
      'savesMin' in step && step.savesMin !== undefined ? { ...step, savesMin: scaled(step.savesMin) } : step,
    ),
  }
}
