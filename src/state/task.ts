/** Open while pending or running; the others are ends. Spelled as in the documents of seed 004. */
export const taskStatuses = ['Pending', 'Running', 'Completed', 'Failed', 'Cancelled'] as const

export type TaskStatus = (typeof taskStatuses)[number]

/** A task as it stands in the document. Times are seconds since 1970. */
export interface Task {
  readonly id: string
  readonly description: string
  readonly status: TaskStatus
  /** 0 to 1. */
  readonly progress: number
  readonly created_at: number
  readonly updated_at: number
  /** Why it failed or was cancelled. */
  readonly reason?: string
}

/** What becomes of a task. */
export interface TaskChange {
  readonly status?: TaskStatus
  readonly progress?: number
  readonly reason?: string
}

const KEPT_AFTER_END_SECONDS = 24 * 60 * 60

function isEnded({ status }: Pick<Task, 'status'>): boolean {
  return status !== 'Pending' && status !== 'Running'
}

/** Without those that ended 24 hours ago or longer, by their last change. They stay in the history. */
export function currentTasks(tasks: readonly Task[], nowSeconds: number): readonly Task[] {
  return tasks.filter((task) => !isEnded(task) || nowSeconds - task.updated_at < KEPT_AFTER_END_SECONDS)
}

/** The task after a change. Finishing is progress too; a task that is worked on runs. */
export function changedTask(task: Task, { status, progress, reason }: TaskChange, nowSeconds: number): Task {
  const next = status ?? (progress === undefined ? task.status : 'Running')
  const { reason: _before, ...rest } = task
  return {
    // Why it failed is no word about a task that went on.
    ...rest,
    status: next,
    progress: next === 'Completed' ? 1 : (progress ?? task.progress),
    updated_at: Math.max(nowSeconds, task.updated_at),
    ...(reason === undefined ? {} : { reason }),
  }
}
