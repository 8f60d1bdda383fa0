import { checkOptions } from '../domain/check-options.ts'
import { MemoryError } from '../domain/error.ts'
import { checkId } from '../domain/names.ts'
import { quote, refuse } from '../domain/refuse.ts'
import type { Address } from '../log/log.ts'
import type { StateDecision, StateHead, StateRow } from '../ports/state-store.ts'
import { type StateOutcome, nextTime, notFound, refused, resultOf } from '../state/decide.ts'
import type { Tasks } from '../state/session-state.ts'
import { type Task, type TaskChange, changedTask, currentTasks } from '../state/task.ts'
import { checkText } from './check-state.ts'
import type { Wiring } from './wiring.ts'
import { redactState } from '../log/redact.ts'

const KEY = 'active_tasks'
const TASKS_MAX = 1_000

/** The tasks of a session. Each change is one transaction over the list, so none is lost to another. */
export function localTasks(parts: Wiring, address: Address): Tasks {
  const { store, work, log, redactor } = parts
  const list = async (): Promise<readonly Task[]> => {
    work.checkOpen()
    const { rows } = await store.state.read(address, { section: 'value', key: KEY })
    return currentTasks(tasksIn(rows[0]), seconds(log.clock.now()))
  }
  /** Ended tasks whose time is over are left out of the new version; the versions before have them. */
  const write = (
    change: (tasks: readonly Task[], now: number) => StateOutcome<readonly [Task, readonly Task[]]>,
  ): Promise<Task> => {
    work.checkOpen()
    const decide = (head: StateHead, rows: ReadonlyMap<string, StateRow>): StateDecision<StateOutcome<Task>> => {
      const at = nextTime(head, log.clock.now())
      const outcome = change(currentTasks(tasksIn(rows.get(KEY)), seconds(at)), seconds(at))
      if (!outcome.ok) return refused(outcome.error)
      const [task, tasks] = outcome.result
      return { answer: { ok: true, result: task }, at, rows: [{ key: KEY, value: JSON.stringify(tasks) }] }
    }
    return work.begin(store.state.change(address, { section: 'value', keys: [KEY] }, decide).then(resultOf))
  }
  const redacted = async <Field extends 'description' | 'reason'>(
    attempt: string,
    id: string,
    field: Field,
    text: string,
  ): Promise<Record<Field, string>> => {
    checkText(attempt, field, text)
    const value = { [field]: text } as Record<Field, string>
    if (redactor.state === undefined) return value
    const clean = await redactState(redactor, { kind: 'task', key: id, value })
    checkText(attempt, field, clean[field])
    return clean
  }
  const changeOne = async (attempt: string, id: string, change: TaskChange): Promise<Task> => {
    checkId(attempt, 'id', id)
    const clean =
      change.reason === undefined ? change : { ...change, ...(await redacted(attempt, id, 'reason', change.reason)) }
    return write((tasks, now) => {
      const task = tasks.find((candidate) => candidate.id === id)
      if (task === undefined) return { ok: false, error: notFound('task', id) }
      const changed = changedTask(task, clean, now)
      return { ok: true, result: [changed, tasks.map((other) => (other === task ? changed : other))] }
    })
  }
  return {
    list,
    add: async (given) => {
      checkOptions('add a task', given, ['description', 'id', 'status'], 'field')
      const { id = log.newId(), status = 'Pending' } = given
      checkId('add a task', 'id', id)
      const { description } = await redacted('add a task', id, 'description', given.description)
      if (status !== 'Pending' && status !== 'Running') refuse('add a task', 'status', status, 'Pending or Running')
      return write((tasks, now) => {
        if (tasks.some((task) => task.id === id)) return { ok: false, error: exists(id) }
        if (tasks.length >= TASKS_MAX) return { ok: false, error: tooMany() }
        const task: Task = { id, description, status, progress: 0, created_at: now, updated_at: now }
        return { ok: true, result: [task, [...tasks, task]] }
      })
    },
    progress: async (id, progress) => {
      if (typeof progress !== 'number' || !(progress >= 0 && progress <= 1))
        refuse('note progress', 'progress', progress, 'a number from 0 to 1')
      return changeOne('note progress', id, { progress })
    },
    finish: (id) => changeOne('finish a task', id, { status: 'Completed' }),
    fail: (id, reason) => changeOne('fail a task', id, { status: 'Failed', ...because(reason) }),
    cancel: (id, reason) => changeOne('cancel a task', id, { status: 'Cancelled', ...because(reason) }),
  }
}

function tasksIn(row: StateRow | undefined): readonly Task[] {
  return row?.value === undefined || row.value === null ? [] : (JSON.parse(row.value) as readonly Task[])
}

function because(reason: string | undefined): Pick<TaskChange, 'reason'> {
  return reason === undefined ? {} : { reason }
}

function seconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000)
}

function exists(id: string): MemoryError {
  return new MemoryError('state/conflict', `Cannot add the task ${quote(id)}: there is one of that id`, { task: id })
}

function tooMany(): MemoryError {
  return new MemoryError(
    'input/too-large',
    `Cannot add a task: the session has ${TASKS_MAX} already, expected that some are ended first`,
    { max: TASKS_MAX },
  )
}
