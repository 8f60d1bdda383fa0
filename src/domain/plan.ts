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
