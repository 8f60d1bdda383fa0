import type { JSX } from 'preact'
import type { StateEntry, Task } from '../../../api/state.ts'
import { RequestFailure, request, sendWrite } from '../../data/request.ts'
import { mayDo } from '../../data/signed-in.ts'
import { ActionButton } from '../../parts/action-button.tsx'
import { PlainText } from '../../parts/plain-text.tsx'
import { written } from '../../parts/numbers.ts'
import { GuardedText, type StoredText } from './guarded-text.tsx'

interface TaskEntryProps {
  readonly task: Task
  /** The address of all tasks as one value of the state. */
  readonly path: string
}

/** A task. It is changed only if nobody else changed it since it was read. */
export function TaskEntry({ task, path }: TaskEntryProps): JSX.Element {
  const { id, description, status, progress, reason } = task
  const change = async (changed: Partial<Task>, expected: StoredText['version']): Promise<void> => {
    const { version, tasks } = await readTasks(path)
    const found = tasks.find((each) => each.id === id)
    if (found === undefined || markOf(found) !== expected)
      throw new RequestFailure('state/conflict', 'Somebody changed this task meanwhile.')
    const now = Math.floor(Date.now() / 1_000)
    const value = tasks.map((each) => (each === found ? { ...found, ...changed, updated_at: now } : each))
    await sendWrite(path, { method: 'PUT', body: { value, expected: version } })
  }
  const read = async (): Promise<StoredText> => {
    const { tasks } = await readTasks(path)
    return storedOf(tasks.find((each) => each.id === id) ?? { ...task, description: '' })
  }
  const ended = status !== 'Pending' && status !== 'Running'
  return (
    <>
      <GuardedText
        stored={storedOf(task)}
        label={`Task ${description.slice(0, 60)}`}
        save={(draft, expected) => change({ description: draft }, expected)}
        read={read}
      >
        <span class="serif">
          <PlainText text={description} />
        </span>
      </GuardedText>
      {mayDo('write') &&
        (ended ? (
          <ActionButton kind="is-quiet is-small" run={() => change({ status: 'Pending', progress: 0 }, markOf(task))}>
            Open again
          </ActionButton>
        ) : (
          <>
            <ActionButton
              kind="is-quiet is-small"
              run={() => change({ status: 'Completed', progress: 1 }, markOf(task))}
            >
              Mark as done
            </ActionButton>
            <ActionButton kind="is-quiet is-small" run={() => change({ status: 'Cancelled' }, markOf(task))}>
              Cancel it
            </ActionButton>
          </>
        ))}
      {status === 'Running' && progress > 0 && <span class="dim"> {Math.round(progress * 100)} of 100</span>}
      {reason !== undefined && (
        <p class="dim">
          <PlainText text={reason} />
        </p>
      )}
    </>
  )
}

async function readTasks(path: string): Promise<{ readonly version: number; readonly tasks: readonly Task[] }> {
  const { version, value } = await request<StateEntry>(path)
  return { version, tasks: value as unknown as readonly Task[] }
}

/** What tells one version of a task from another: tasks have no version of their own. */
function markOf({ description, status, progress, updated_at: at }: Task): string {
  return JSON.stringify([description, status, progress, at])
}

function storedOf(task: Task): StoredText {
  const called = `last changed at ${written.seconds(task.updated_at * 1_000)}`
  return { text: task.description, version: markOf(task), called }
}
