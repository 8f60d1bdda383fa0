import type { Draft } from '../../domain/message.ts'
import type { Plan, PlanStep } from '../../domain/plan.ts'
import { dataLine } from '../summary/marker.ts'

/** The plan as the last thing a model reads. Made for each context and never stored, so it is never out of date. */
export function planHint({ goal, steps, outcome }: Plan): Draft {
  const titles = (state: PlanStep['state']): string =>
    steps.flatMap((step) => (step.state === state ? [dataLine(step.title)] : [])).join('; ')
  const [now, next] = [titles('in-progress'), titles('todo')]
  const lines = [
    `[state of the plan] ${dataLine(goal)}`,
    `Done: ${steps.filter(({ state }) => state === 'done').length} of ${steps.length}`,
    ...(now === '' ? [] : [`In progress: ${now}`]),
    ...(next === '' ? [] : [`To do: ${next}`]),
    ...(outcome === undefined ? [] : [`Expected outcome: ${dataLine(outcome)}`]),
  ]
  return { role: 'user', parts: [{ type: 'text', text: lines.join('\n') }] }
}
