import type { Task, TaskEnd, TaskProgress } from '../api/state.ts'

const KEPT_AFTER_END_SECONDS = 24 * 60 * 60

/** Without the tasks that ended 24 hours ago or longer, by their last change. They stay in the history. */
export function currentTasks(tasks: readonly Task[], nowSeconds: number): readonly Task[] {
  return tasks.filter(
    ({ status, updated_at: updated }) =>
      status === 'Pending' || status === 'Running' || nowSeconds - updated < KEPT_AFTER_END_SECONDS,
  )
}

/** The task after a change. A completed task has all its progress; the reason of an earlier failure goes. */
export function changedTask(task: Task, change: TaskProgress | TaskEnd, nowSeconds: number): Task {
  const { reason: _before, ...rest } = task
  const updated_at = Math.max(nowSeconds, task.updated_at)
  if ('progress' in change) return { ...rest, status: 'Running', progress: change.progress, updated_at }
  const progress = change.status === 'Completed' ? 1 : task.progress
  return { ...rest, progress, updated_at, ...change }
}
