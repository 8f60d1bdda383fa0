import type { Draft } from '../../domain/message.ts'
import type { Plan, PlanStep } from '../../domain/plan.ts'
import { oneLine } from '../telling/marker.ts'

/** The plan as the last thing a model reads. Said anew for every context and never stored, so it cannot grow old. */
export function planHint({ goal, steps, outcome }: Plan): Draft {
  const titles = (state: PlanStep['state']): string =>
    steps.flatMap((step) => (step.state === state ? [oneLine(step.title)] : [])).join('; ')
  const [now, next] = [titles('in-progress'), titles('todo')]
  const lines = [
    `[state of the plan] ${oneLine(goal)}`,
    `Done: ${steps.filter(({ state }) => state === 'done').length} of ${steps.length}`,
    ...(now === '' ? [] : [`In progress: ${now}`]),
    ...(next === '' ? [] : [`To do: ${next}`]),
    ...(outcome === undefined ? [] : [`Expected outcome: ${oneLine(outcome)}`]),
  ]
  return { role: 'user', parts: [{ type: 'text', text: lines.join('\n') }] }
}
