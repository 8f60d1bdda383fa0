import type { ContextOptions } from '../api/contexts.ts'
import { defined } from '../domain/defined.ts'
import { refuse } from '../domain/refuse.ts'
import { budgetFor } from './budget-for.ts'
import type { ContextRequest } from './build-context.ts'
import { policyOf } from './compaction/presets.ts'

/**
 * The options of a call with its budget and policy.
 *
 * @throws {MemoryError} `input/invalid` if options exclude each other, or no budget is known.
 */
export function contextRequest(options: ContextOptions, description: string | undefined): ContextRequest {
  if (options.asOf !== undefined && options.recall !== undefined && options.recall !== false)
    refuse(
      'build a context',
      'recall',
      options.recall,
      'none together with `asOf`, because an earlier state of recall cannot be rebuilt',
    )
  const [budget, policy] = [budgetFor(options), policyOf(options.policy)]
  return { ...options, budget, policy, ...defined({ description }) }
}
