import type { Task, TaskEnd, TaskProgress, Tasks } from '../api/state.ts'
import { MemoryError } from '../domain/error.ts'
import type { Address } from '../log/log.ts'
import { redactState } from '../log/redact.ts'
import type { StateRow } from '../ports/state-store.ts'
import { checkCall } from '../surface/check-call.ts'
import { taskOperations } from '../surface/tasks.ts'
import { alreadyThere, changeRow, notFound } from './change-row.ts'
import { changedTask, currentTasks } from './task.ts'
import type { StateWiring } from './wiring.ts'

const KEY = 'active_tasks'
const TASKS_MAX = 1_000

/** The tasks of a session. They are one row, and each change is one transaction over it, so no change is lost. */
export function localTasks(wiring: StateWiring, address: Address): Pick<Tasks, 'list' | 'add' | 'update'> {
  const { store, work, log, redactor } = wiring
  /** Ended tasks whose time is over are left out of the new version; earlier versions have them. */
  const write = (
    decide: (tasks: readonly Task[], now: number) => MemoryError | readonly [Task, readonly Task[]],
  ): Promise<Task> =>
    changeRow(wiring, address, { section: 'value', key: KEY }, (row, { at }) => {
      const now = seconds(at)
      const outcome = decide(currentTasks(tasksIn(row), now), now)
      if (outcome instanceof MemoryError) return outcome
      const [result, tasks] = outcome
      return { result, value: JSON.stringify(tasks) }
    })
  const redacted = <Words extends object>(id: string, words: Words): Promise<Words> =>
    redactState(redactor, { kind: 'task', key: id, value: words })
  return {
    list: async () => {
      work.checkOpen()
      const { rows } = await store.state.read(address, { section: 'value', key: KEY })
      return currentTasks(tasksIn(rows[0]), seconds(log.clock.now()))
    },
    add: async (given) => {
      checkCall(taskOperations.add, given)
      const { id = log.newId(), status = 'Pending' } = given
      const clean = await redacted(id, { description: given.description })
      checkCall(taskOperations.add, clean)
      const { description } = clean
      return write((tasks, now) => {
        if (tasks.some((task) => task.id === id)) return alreadyThere('task', id)
        if (tasks.length >= TASKS_MAX) return tooMany()
        const task: Task = { id, description, status, progress: 0, created_at: now, updated_at: now }
        return [task, [...tasks, task]]
      })
    },
    update: async (id, given) => {
      checkCall(taskOperations.change, id, given)
      const clean = await withoutSecretReason(given)
      return write((tasks, now) => {
        const task = tasks.find((candidate) => candidate.id === id)
        if (task === undefined) return notFound('task', id)
        const changed = changedTask(task, clean, now)
        return [changed, tasks.map((other) => (other === task ? changed : other))]
      })

      async function withoutSecretReason(change: TaskProgress | TaskEnd): Promise<TaskProgress | TaskEnd> {
        if (!('reason' in change) || change.reason === undefined) return change
        const cleaned = { ...change, ...(await redacted(id, { reason: change.reason })) }
        checkCall(taskOperations.change, id, cleaned)
        return cleaned
      }
    },
  }
}

function tasksIn(row: StateRow | undefined): readonly Task[] {
  return row?.value === undefined || row.value === null ? [] : (JSON.parse(row.value) as readonly Task[])
}

function seconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000)
}

function tooMany(): MemoryError {
  return new MemoryError(
    'input/too-large',
    `Cannot add a task: the session has ${TASKS_MAX} already, finish some of them first`,
    { max: TASKS_MAX },
  )
}
