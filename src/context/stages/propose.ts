import type { StageStep } from '../../api/policy.ts'
import type { Pausing } from '../../log/with-pauses.ts'
import type { ProposedFold, StageInput } from '../compaction/stage.ts'
import { drop } from './drop.ts'
import { merge } from './merge.ts'
import { offload } from './offload.ts'
import { summarise } from './summarise.ts'
import { truncateResults } from './truncate-results.ts'

/** What a step of a policy would fold in a window. */
export function* proposeFolds(step: StageStep, input: StageInput): Pausing<readonly ProposedFold[]> {
  switch (step.stage) {
    case 'offload':
      return yield* offload(input, step)
    case 'merge':
      return yield* merge(input, step)
    case 'truncate-results':
      return yield* truncateResults(input, step)
    case 'summarise':
      return yield* summarise(input, step)
    case 'drop':
      return drop(input, step)
  }
}
