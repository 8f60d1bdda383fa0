import type { Policy } from '../../../src/api/policy.ts'

/** Folds whatever may be folded into summaries. */
export const summaries: Policy = {
  name: 'summaries',
  high: {},
  low: { mark: { tokens: 0 } },
  steps: [{ stage: 'summarise', unit: 'range' }],
  advance: 'until-low',
}
