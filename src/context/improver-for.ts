import { defined } from '../domain/defined.ts'
import type { SummaryOptions } from '../api/open-memory.ts'
import { improver } from './model/improver.ts'
import { Spend } from '../model/spend.ts'
import type { StageRun } from './compaction/run-stages.ts'
import type { Clock } from '../ports/clock.ts'
import type { LanguageModel } from '../ports/language-model.ts'

const DEADLINE_MS = 10_000

type Count = (text: string) => Promise<number>

/** Makes an improver for each compaction; what the model may cost is counted over all of them. */
export function improverFor(
  model: LanguageModel,
  { deadlineMs = DEADLINE_MS, callsPerHourMax, tokensPerHourMax, prompts, signal }: SummaryOptions,
  clock: Clock,
  count: Count,
): () => NonNullable<StageRun['improve']> {
  const spend = new Spend(
    {
      ...defined({ callsMax: callsPerHourMax, tokensMax: tokensPerHourMax }),
    },
    clock,
  )
  const settings = { model, deadlineMs, spend, clock, count }
  return () =>
    improver({
      ...settings,
      ...defined({ tasks: prompts, signal }),
    })
}
