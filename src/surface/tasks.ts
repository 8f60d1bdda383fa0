import type { NewTask, Task, TaskEnd, TaskProgress } from '../api/state.ts'
import { taskStatuses } from '../domain/task-status.ts'
import { aListOf, either } from '../shape/combine.ts'
import { anObject, mayHave, mustHave } from '../shape/object.ts'
import type { Shape } from '../shape/shape.ts'
import { aNumber, aText, anId, oneOf } from '../shape/values.ts'
import { noun } from './noun.ts'
import type { Operation } from './operation.ts'
import { SESSION } from './paths.ts'
import { aWorkingText } from './working-text.ts'

const TASKS = `${SESSION}/tasks`

const aShare = aNumber({ min: 0, max: 1 }, 'a number from 0 to 1')
const seconds = aNumber({ min: 0 }, 'seconds since 1970')

export const aTask: Shape<Task> = anObject(
  'Task',
  {
    id: mustHave(aText, 'Its id'),
    description: mustHave(aText, 'What is to be done'),
    status: mustHave(oneOf(taskStatuses), 'Whether it waits, runs or has ended, and how'),
    progress: mustHave(aShare, 'How much of it is done, from 0 to 1'),
    created_at: mustHave(seconds, 'When it was added, in seconds since 1970'),
    updated_at: mustHave(seconds, 'When it last changed, in seconds since 1970'),
    reason: mayHave(aText, 'Why it failed or was cancelled'),
  },
  // A task that came with a document may have more fields.
  { open: true },
)

const newTask: Shape<NewTask> = anObject(
  'NewTask',
  {
    description: mustHave(aWorkingText, 'What is to be done'),
    id: mayHave(anId, 'Its id', 'a new one'),
    status: mayHave(
      oneOf(['Pending', 'Running'], { wanted: 'Pending or Running' }),
      'Whether work on it has begun',
      "'Pending'",
    ),
  },
  { what: 'field', called: 'task', wanted: 'an object with a description' },
)

const taskProgress: Shape<TaskProgress> = anObject(
  'TaskProgress',
  { progress: mustHave(aShare, 'How much of it is done, from 0 to 1') },
  { what: 'field' },
)

const taskEnd: Shape<TaskEnd> = anObject(
  'TaskEnd',
  {
    status: mustHave(
      oneOf(['Completed', 'Failed', 'Cancelled'], { wanted: 'Completed, Failed or Cancelled' }),
      'How it ended',
    ),
    reason: mayHave(aWorkingText, 'Why it failed or was cancelled'),
  },
  { what: 'field' },
)

export const taskOperations: Readonly<Record<'list' | 'add' | 'change', Operation>> = noun('tasks', {
  list: {
    help: 'List the tasks of a session, oldest first',
    attempt: 'list tasks',
    call: 'state.tasks.list',
    can: 'read',
    method: 'get',
    path: TASKS,
    answer: anObject<{ readonly tasks: readonly Task[] }>(undefined, { tasks: mustHave(aListOf(aTask), 'The tasks') }),
    as: 'tasks',
    writes: false,
  },
  add: {
    help: 'Add a task',
    attempt: 'add a task',
    call: 'state.tasks.add',
    can: 'write',
    method: 'post',
    path: TASKS,
    options: newTask,
    answer: aTask,
    creates: true,
    writes: true,
  },
  change: {
    help: 'Set the progress of a task, or how it ended',
    attempt: 'update a task',
    call: 'state.tasks.update',
    can: 'write',
    method: 'patch',
    path: `${TASKS}/{id}`,
    takes: { id: mustHave(anId, 'The id of the task') },
    options: either([taskProgress, taskEnd], { called: 'change', wanted: 'either progress or status' }),
    answer: aTask,
    writes: true,
  },
})
