import type { Policy, PolicyName } from '../../api/policy.ts'
import { autoContext } from '../policies/auto-context.ts'
import { balanced } from '../policies/balanced.ts'
import { managed } from '../policies/managed.ts'
import { recency } from '../policies/recency.ts'
import { rolling } from '../policies/rolling.ts'

/** All presets by name, with their default numbers. */
export const presets: Readonly<Record<PolicyName, Policy>> = {
  recency: recency(),
  autoContext: autoContext(),
  rolling: rolling(),
  managed: managed(),
  balanced: balanced(),
}

/** The policy that a caller named or made. */
export function policyOf(given: PolicyName | Policy = 'balanced'): Policy {
  return typeof given === 'string' ? presets[given] : given
}
