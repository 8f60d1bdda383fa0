import { defined } from '../../domain/defined.ts'
import type { PromptTasks } from '../../api/open-memory.ts'
import type { Clock } from '../../ports/clock.ts'
import type { LanguageModel } from '../../ports/language-model.ts'
import type { Improvement, StageRun } from '../compaction/run-stages.ts'
import { type ModelSummaryRequest, summariseWithModel } from './model-summary.ts'
import type { Spend } from '../../model/spend.ts'

/** One compaction asks at most so often, over all of its folds. */
const CALLS_PER_COMPACTION_MAX = 2

export interface ImproverSettings {
  readonly model: LanguageModel
  readonly tasks?: PromptTasks
  /** For all calls of one compaction together. */
  readonly deadlineMs: number
  readonly spend: Spend
  readonly clock: Clock
  readonly signal?: AbortSignal
  readonly count: ModelSummaryRequest['count']
}

/** Gives the folds of one compaction a model's words, as far as its calls and its time reach. */
export function improver(terms: ImproverSettings): NonNullable<StageRun['improve']> {
  const { model, tasks, spend, clock, count, signal = new AbortController().signal } = terms
  const end = clock.now() + terms.deadlineMs
  let left = CALLS_PER_COMPACTION_MAX
  return async (proposal, ledger): Promise<Improvement> => {
    const deadlineMs = end - clock.now()
    if (proposal.prompt === undefined || left <= 0 || deadlineMs <= 0) return { calls: 0 }
    const { prompt, entries, standIn } = proposal
    const request = {
      model,
      prompt,
      entries,
      standIn,
      identifiers: ledger.identifiers,
      count,
      ...defined({ tasks }),
    }
    const summary = await summariseWithModel(request, { deadlineMs, signal, clock, spend, callsMax: left })
    left -= summary.calls
    const bill = { calls: summary.calls, ...defined({ usage: summary.usage }) }
    if (summary.ok) return { standIn: summary.standIn, ...bill }
    return {
      ...bill,
      failure: summary.detail === undefined ? summary.reason : `${summary.reason}: ${summary.detail}`,
    }
  }
}
