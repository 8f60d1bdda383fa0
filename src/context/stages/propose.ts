import type { StageStep } from '../../api/policy.ts'
import type { ProposedFold, StageInput } from '../compaction/stage.ts'
import { drop } from './drop.ts'
import { merge } from './merge.ts'
import { offload } from './offload.ts'
import { summarise } from './summarise.ts'
import { truncateResults } from './truncate-results.ts'

/** What a step of a policy would fold in a window. */
export function proposeFolds(step: StageStep, input: StageInput): readonly ProposedFold[] {
  switch (step.stage) {
    case 'offload':
      return offload(input, step)
    case 'merge':
      return merge(input, step)
    case 'truncate-results':
      return truncateResults(input, step)
    case 'summarise':
      return summarise(input, step)
    case 'drop':
      return drop(input, step)
  }
}
