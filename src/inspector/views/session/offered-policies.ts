import type { PolicyName } from '../../../api/policy.ts'

/** The policies that can be tried, in the order in which they are offered. */
export const offeredPolicies: readonly PolicyName[] = ['balanced', 'recency', 'autoContext', 'rolling', 'managed']
