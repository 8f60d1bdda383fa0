import { merge as mergeSlowly } from '../../../src/context/stages/merge.ts'
import { offload as offloadSlowly } from '../../../src/context/stages/offload.ts'
import { proposeFolds as proposeSlowly } from '../../../src/context/stages/propose.ts'
import { summarise as summariseSlowly } from '../../../src/context/stages/summarise.ts'
import { truncateResults as truncateSlowly } from '../../../src/context/stages/truncate-results.ts'
import { type Pausing, atOnce } from '../../../src/log/with-pauses.ts'

type Sync<Work> = Work extends (...given: infer Given) => Pausing<infer Result> ? (...given: Given) => Result : never

function sync<Given extends readonly unknown[], Result>(
  work: (...given: Given) => Pausing<Result>,
): (...given: Given) => Result {
  return (...given) => atOnce(work(...given))
}

/** The stages, each at once and without pauses. */
export const merge: Sync<typeof mergeSlowly> = sync(mergeSlowly)
export const offload: Sync<typeof offloadSlowly> = sync(offloadSlowly)
export const proposeFolds: Sync<typeof proposeSlowly> = sync(proposeSlowly)
export const summarise: Sync<typeof summariseSlowly> = sync(summariseSlowly)
export const truncateResults: Sync<typeof truncateSlowly> = sync(truncateSlowly)
