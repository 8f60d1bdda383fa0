import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { StateEntry } from '../../../api/state.ts'
import type { JSONValue } from '../../../domain/json.ts'
import { RequestFailure, edition, request, sendWrite } from '../../data/request.ts'
import { mayDo } from '../../data/signed-in.ts'
import { ActionButton } from '../../parts/action-button.tsx'
import { PlainText } from '../../parts/plain-text.tsx'

interface StateValueProps {
  readonly entry: StateEntry
  /** The address of the value. */
  readonly path: string
}

/** A value of the state. It is changed only if nobody else changed it since it was read. */
export function StateValue({ entry, path }: StateValueProps): JSX.Element {
  const [draft, setDraft] = useState<string | undefined>()
  const [based, setBased] = useState(entry.version)
  const [conflict, setConflict] = useState<StateEntry | undefined>()
  const edit = (): void => {
    setDraft(jsonText(entry.value))
    setBased(entry.version)
    setConflict(undefined)
  }
  const save = async (expected: number): Promise<void> => {
    try {
      await sendWrite(path, { method: 'PUT', body: { value: JSON.parse(draft ?? 'null') as JSONValue, expected } })
      setDraft(undefined)
      setConflict(undefined)
    } catch (error) {
      if (!(error instanceof RequestFailure) || error.code !== 'state/conflict') throw error
      setConflict(await request<StateEntry>(path))
    }
  }
  const keepStored = (): void => {
    setDraft(undefined)
    setConflict(undefined)
    edition.value += 1
  }
  if (draft === undefined)
    return (
      <>
        <code class="value">
          <PlainText text={jsonText(entry.value)} />
        </code>{' '}
        {mayDo('write') && (
          <button type="button" class="btn is-quiet is-small" onClick={edit}>
            Edit
          </button>
        )}
      </>
    )
  return (
    <div class="edit-form">
      <textarea
        class="input is-code"
        rows={Math.min(12, draft.split('\n').length + 1)}
        aria-label={`Value of ${entry.key} as JSON`}
        value={draft}
        onInput={(event) => setDraft(event.currentTarget.value)}
      />
      {conflict === undefined ? (
        <div class="row wrap">
          <ActionButton kind="is-small is-primary" disabled={!isJson(draft)} run={() => save(based)}>
            Save
          </ActionButton>
          <button type="button" class="btn is-small" onClick={() => setDraft(undefined)}>
            Cancel
          </button>
          {!isJson(draft) && <span class="dim">This is not JSON yet.</span>}
        </div>
      ) : (
        <Conflict
          stored={conflict}
          based={based}
          draft={draft}
          onKeep={keepStored}
          onSave={() => save(conflict.version)}
        />
      )}
    </div>
  )
}

interface ConflictProps {
  readonly stored: StateEntry
  readonly based: number
  readonly draft: string
  readonly onKeep: () => void
  readonly onSave: () => Promise<void>
}

function Conflict({ stored, based, draft, onKeep, onSave }: ConflictProps): JSX.Element {
  return (
    <div class="conflict" role="alert">
      <p>
        <b>Changed while you were editing.</b> Nothing of yours is stored yet.
      </p>
      <div class="two">
        <div>
          <small>Stored now, v{stored.version}</small>
          <code class="value">
            <PlainText text={jsonText(stored.value)} />
          </code>
        </div>
        <div>
          <small>Yours, based on v{based}</small>
          <code class="value">
            <PlainText text={draft} />
          </code>
        </div>
      </div>
      <div class="row wrap">
        <button type="button" class="btn is-small" onClick={onKeep}>
          Keep the stored one
        </button>
        <ActionButton kind="is-small is-primary" run={onSave}>
          Save mine as the next version
        </ActionButton>
      </div>
    </div>
  )
}

/** On one line where it fits. */
function jsonText(value: JSONValue): string {
  const line = JSON.stringify(value)
  return line.length <= 72 ? line : JSON.stringify(value, null, 2)
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
