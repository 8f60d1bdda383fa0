import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Message } from '../../../domain/message.ts'
import { endpoints } from '../../data/endpoints.ts'
import { addressOf, goTo } from '../../data/place.ts'
import { sendWrite } from '../../data/request.ts'
import { ActionButton } from '../../parts/action-button.tsx'
import { ForgetDialog } from '../../parts/forget-dialog.tsx'

interface MessageActionsProps {
  readonly message: Message
  readonly scope: string
  readonly session: string
  readonly onDone: () => void
}

/** What can be done with a message. All but one can be undone. */
export function MessageActions({ message, scope, session, onDone }: MessageActionsProps): JSX.Element {
  const { id, seq, removed, parts } = message
  const [open, setOpen] = useState<'edit' | 'fork' | 'forget' | undefined>()
  const path = (rest: string): string => endpoints.session(scope, session, rest)
  const source = { message: id, session }
  const editable = parts.every(({ type }) => type === 'text')
  return (
    <div class="message-actions">
      <div class="row wrap">
        {editable && (
          <Opener name="Edit" on={open === 'edit'} onClick={() => setOpen(open === 'edit' ? undefined : 'edit')} />
        )}
        <Opener
          name="Fork from here"
          on={open === 'fork'}
          onClick={() => setOpen(open === 'fork' ? undefined : 'fork')}
        />
        {removed !== true && (
          <ActionButton run={() => sendWrite(path(`messages/${encodeURIComponent(id)}`), { method: 'DELETE' })}>
            Take out of the window
          </ActionButton>
        )}
        <a class="btn is-small" href={addressOf('/session', { scope, id: session, asOf: message.at })}>
          Rebuild the request after it
        </a>
        <a class="btn is-small" href={addressOf('/knowledge', { scope, message: id, from: session })}>
          What it taught
        </a>
        <ActionButton run={() => sendWrite(endpoints.scope(scope, 'roll-back'), { body: { source } })}>
          Take back what it taught
        </ActionButton>
        <button type="button" class="btn is-small is-danger" onClick={() => setOpen('forget')}>
          Forget …
        </button>
      </div>
      {open === 'edit' && (
        <EditForm message={message} path={path(`messages/${encodeURIComponent(id)}`)} onDone={onDone} />
      )}
      {open === 'fork' && <ForkForm scope={scope} session={session} seq={seq} />}
      {open === 'forget' && (
        <ForgetDialog
          scope={scope}
          what={source}
          title={`message ${seq} of ${session}`}
          name={`message ${seq}`}
          onClose={() => setOpen(undefined)}
        />
      )}
    </div>
  )
}

function Opener({
  name,
  on,
  onClick,
}: {
  readonly name: string
  readonly on: boolean
  readonly onClick: () => void
}): JSX.Element {
  return (
    <button type="button" class="btn is-small" aria-expanded={on} onClick={onClick}>
      {name}
    </button>
  )
}

interface EditFormProps {
  readonly message: Message
  readonly path: string
  readonly onDone: () => void
}

function EditForm({ message, path, onDone }: EditFormProps): JSX.Element {
  const before = message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
  const [text, setText] = useState(before)
  const save = async (): Promise<void> => {
    await sendWrite(path, { method: 'PATCH', body: { content: text } })
    onDone()
  }
  return (
    <div class="edit-form">
      <textarea
        class="input"
        rows={4}
        aria-label="The message from now on"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <div class="row wrap">
        <ActionButton kind="is-small is-primary" disabled={text === before || text.trim() === ''} run={save}>
          Save as revision {message.revision + 1}
        </ActionButton>
        <span class="dim">The earlier revision stays in the log.</span>
      </div>
    </div>
  )
}

function ForkForm({
  scope,
  session,
  seq,
}: {
  readonly scope: string
  readonly session: string
  readonly seq: number
}): JSX.Element {
  const [name, setName] = useState(`${session}-fork-${seq}`)
  const fork = async (): Promise<void> => {
    await sendWrite(endpoints.session(scope, session, 'fork'), { body: { newId: name, at: seq } })
    goTo(addressOf('/session', { scope, id: name }))
  }
  return (
    <div class="row wrap edit-form">
      <input
        class="input grow"
        aria-label="Name of the new session"
        value={name}
        onInput={(event) => setName(event.currentTarget.value)}
      />
      <ActionButton kind="is-small is-primary" disabled={name.trim() === ''} run={fork}>
        Fork at {seq}
      </ActionButton>
    </div>
  )
}
