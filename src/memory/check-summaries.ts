import type { PromptTasks } from '../context/model/prompts/prompt.ts'
import { checkOptions } from '../domain/check-options.ts'
import { refuse } from '../domain/refuse.ts'
import { checkCount } from './check-arguments.ts'
import type { SummaryOptions } from '../context/improver-for.ts'

const PROMPTS: readonly (keyof PromptTasks)[] = [
  'merge-tools',
  'summarise-round',
  'summarise-current',
  'shorten-payload',
  'fold-summaries',
]

/** Accepts the option `summaries` of `openMemory`. */
export function checkSummaries(summaries: SummaryOptions): void {
  checkOptions('open a memory: summaries', summaries, [
    'deadlineMs',
    'callsPerHourMax',
    'tokensPerHourMax',
    'prompts',
    'signal',
  ])
  const { deadlineMs, prompts, signal } = summaries
  if (deadlineMs !== undefined) checkCount('open a memory', 'summaries.deadlineMs', deadlineMs)
  if (prompts !== undefined) checkPrompts(prompts)
  if (signal !== undefined && !(signal instanceof AbortSignal))
    refuse('open a memory', 'summaries.signal', signal, 'an AbortSignal')
}

function checkPrompts(prompts: PromptTasks): void {
  checkOptions('open a memory: summaries.prompts', prompts, PROMPTS)
  for (const [name, task] of Object.entries(prompts))
    if (task !== null && task !== undefined && typeof task !== 'string')
      refuse('open a memory', `summaries.prompts.${name}`, task, 'a text, or null')
}
