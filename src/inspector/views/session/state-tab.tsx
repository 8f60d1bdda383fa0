import type { ComponentChildren, JSX } from 'preact'
import type { Note, StateSnapshot, Task } from '../../../api/state.ts'
import { endpoints } from '../../data/endpoints.ts'
import { useReading } from '../../data/use-reading.ts'
import { Empty, Failed, Skeleton } from '../../parts/notices.tsx'
import { written } from '../../parts/numbers.ts'
import { PlainText } from '../../parts/plain-text.tsx'
import type { SessionTabProps } from '../session-view.tsx'
import { NoteEntry } from './note-entry.tsx'
import { StateValue } from './state-value.tsx'
import { TaskEntry } from './task-entry.tsx'

const AGAIN_MS = 5_000
/** Values that are shown as lists of their own. */
const LISTED = ['active_tasks', 'notes']
const signs: Readonly<Record<Task['status'], string>> = {
  Pending: '○ open',
  Running: '◐ in progress',
  Completed: '✓ done',
  Failed: '✕ failed',
  Cancelled: '– cancelled',
}

/** The working document of a session: values, tasks and notes, with their versions. */
export function StateTab({ scope, session }: SessionTabProps): JSX.Element {
  const again = { everyMs: AGAIN_MS }
  const path = (rest: string): string => endpoints.session(scope, session, rest)
  const state = useReading<StateSnapshot>(path('state'), again)
  const tasks = useReading<{ readonly tasks: readonly Task[] }>(path('tasks'), again)
  const notes = useReading<{ readonly notes: readonly Note[] }>(path('notes'), again)
  const failure = state.failure ?? tasks.failure ?? notes.failure
  if (state.data === undefined || tasks.data === undefined || notes.data === undefined)
    return <div class="body">{failure === undefined ? <Skeleton rows={4} /> : <Failed failure={failure} />}</div>
  const entries = state.data.entries.filter(({ key }) => !LISTED.includes(key))
  if (entries.length + tasks.data.tasks.length + notes.data.notes.length === 0)
    return (
      <div class="body">
        <Empty title="This session has no state.">
          <p>
            Values, tasks and notes that an agent keeps with <code>session.state</code> are shown here, with every
            version they had.
          </p>
        </Empty>
      </div>
    )
  return (
    <div class="body">
      <div class="sheet ruled">
        <Heading side={`now v${state.data.version}`} title="Values" />
        {entries.map((entry) => (
          <Line
            key={entry.key}
            side={`v${entry.version}`}
            sideTitle={written.moment(entry.at)}
            name={<PlainText text={entry.key} />}
          >
            <StateValue entry={entry} path={path(`state/${encodeURIComponent(entry.key)}`)} />
          </Line>
        ))}
        {tasks.data.tasks.length > 0 && <Heading side="" title="Tasks" />}
        {tasks.data.tasks.map((task) => (
          <Line key={task.id} {...since(task.updated_at * 1_000)} name={signs[task.status]}>
            <TaskEntry task={task} path={path('state/active_tasks')} />
          </Line>
        ))}
        {notes.data.notes.length > 0 && <Heading side="" title="Notes" />}
        {notes.data.notes.map((note) => (
          <Line key={note.id} {...since(note.updatedAt)} name={note.done ? '✓ done' : '○ open'}>
            <NoteEntry note={note} path={path('notes')} />
          </Line>
        ))}
      </div>
    </div>
  )
}

function since(at: string | number): { readonly side: string; readonly sideTitle: string } {
  return { side: written.ago(at), sideTitle: written.moment(at) }
}

function Heading({ side, title }: { readonly side: string; readonly title: string }): JSX.Element {
  return (
    <div class="line is-head">
      <div class="side">{side}</div>
      <div class="main">
        <h2>{title}</h2>
      </div>
    </div>
  )
}

interface LineProps {
  readonly side: string
  readonly sideTitle?: string
  readonly name: ComponentChildren
  readonly children: ComponentChildren
}

function Line({ side, sideTitle, name, children }: LineProps): JSX.Element {
  return (
    <div class="line">
      <div class="side" title={sideTitle}>
        {side}
      </div>
      <div class="main">
        <b>{name}</b>
        <div>{children}</div>
      </div>
    </div>
  )
}
