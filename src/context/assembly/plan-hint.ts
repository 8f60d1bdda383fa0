import type { Draft } from '../../domain/message.ts'
import { oneLine } from '../telling/marker.ts'

export const planStates = ['todo', 'in-progress', 'done', 'failed', 'abandoned'] as const

/** The state of an agent's plan: what it is for, and how far it has come. */
export interface Plan {
  readonly goal: string
  readonly steps: readonly {
    readonly title: string
    readonly state: (typeof planStates)[number]
  }[]
  /** What there will be when it is done. */
  readonly outcome?: string
}

/** The plan as the last thing a model reads. Said anew for every context and never stored, so it cannot grow old. */
export function planHint({ goal, steps, outcome }: Plan): Draft {
  const done = steps.filter((step) => step.state === 'done').length
  const now = steps.filter((step) => step.state === 'in-progress').map((step) => oneLine(step.title))
  const lines = [
    `[state of the plan] ${oneLine(goal)}`,
    `Done: ${done} of ${steps.length}`,
    ...(now.length === 0 ? [] : [`In progress: ${now.join('; ')}`]),
    ...(outcome === undefined ? [] : [`Expected outcome: ${oneLine(outcome)}`]),
  ]
  return { role: 'user', parts: [{ type: 'text', text: lines.join('\n') }] }
}
