import { checkOptions } from '../domain/check-options.ts'
import { refuse } from '../domain/refuse.ts'
import type { LearnOptions } from '../knowledge/learn/learning.ts'
import { checkCount } from './check-arguments.ts'

/** Accepts the option `learn` of `openMemory`. */
export function checkLearning(learn: unknown, model: unknown): void {
  if (learn === undefined || learn === false || learn === 'patterns') return
  if (learn === 'model') {
    if (model === undefined) refuse('open a memory', 'learn', learn, 'a model to learn with, as the option model')
    return
  }
  if (typeof learn !== 'object') refuse('open a memory', 'learn', learn, "'patterns', 'model', false or options")
  checkOptions('open a memory: learn', learn, ['model', 'deadlineMs', 'callsPerHourMax', 'tokensPerHourMax'])
  const options = learn as LearnOptions
  for (const name of ['deadlineMs', 'callsPerHourMax', 'tokensPerHourMax'] as const)
    if (options[name] !== undefined) checkCount('open a memory', `learn.${name}`, options[name])
  if (options.model === undefined && model === undefined)
    refuse('open a memory', 'learn.model', options.model, 'a model to learn with')
}
