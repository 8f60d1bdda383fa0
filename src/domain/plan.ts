import { checkOptions } from './check-options.ts'
import { refuse } from './refuse.ts'

export const planStates = ['todo', 'in-progress', 'done', 'failed', 'abandoned'] as const

export interface PlanStep {
  readonly title: string
  readonly state: (typeof planStates)[number]
  /** Messages with this tag stand in every context while the step is open; when it has ended they may fold. */
  readonly tag?: string
  /** What came of it. */
  readonly result?: string
}

/** The state of an agent's plan: what it is for, and how far it has come. */
export interface Plan {
  readonly goal: string
  readonly steps: readonly PlanStep[]
  /** What there will be when it is done. */
  readonly outcome?: string
}

function isOpenStep({ state }: Pick<PlanStep, 'state'>): boolean {
  return state === 'todo' || state === 'in-progress'
}

/** The tags of what open steps still need. */
export function openTags({ steps }: Plan): readonly string[] {
  return steps.flatMap((step) => (isOpenStep(step) && step.tag !== undefined ? [step.tag] : []))
}

export function checkPlan(attempt: string, plan: unknown): asserts plan is Plan {
  checkOptions(`${attempt}: plan`, plan, ['goal', 'steps', 'outcome'])
  const { goal, steps, outcome } = plan as Record<string, unknown>
  if (typeof goal !== 'string') refuse(attempt, 'plan.goal', goal, 'a string')
  if (!Array.isArray(steps) || steps.some((step: { title?: unknown } | null) => typeof step?.title !== 'string'))
    refuse(attempt, 'plan.steps', steps, 'a list of steps with title and state')
  for (const step of steps as readonly PlanStep[]) {
    checkOptions(`${attempt}: plan.steps`, step, ['title', 'state', 'tag', 'result'])
    if (!planStates.includes(step.state)) refuse(attempt, 'plan.steps', step.state, `a state: ${planStates.join(', ')}`)
    for (const key of ['tag', 'result'] as const)
      if (step[key] !== undefined && typeof step[key] !== 'string')
        refuse(attempt, `plan.steps.${key}`, step[key], 'a string')
  }
  if (outcome !== undefined && typeof outcome !== 'string') refuse(attempt, 'plan.outcome', outcome, 'a string')
}
