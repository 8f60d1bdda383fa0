import type { ComponentChildren, JSX } from 'preact'
import { useState } from 'preact/hooks'
import { RequestFailure, edition } from '../../data/request.ts'
import { mayDo } from '../../data/signed-in.ts'
import { ActionButton } from '../../parts/action-button.tsx'
import { PlainText } from '../../parts/plain-text.tsx'

/** What is stored, as text that can be edited. */
export interface StoredText {
  readonly text: string
  /** A version, or the time of the last change: what a change expects to find. */
  readonly version: number | string
  /** The version in words. */
  readonly called: string
}

interface GuardedTextProps {
  readonly stored: StoredText
  /** What the field is for. */
  readonly label: string
  readonly code?: boolean
  /** Why a text cannot be stored yet. */
  readonly fault?: (draft: string) => string | undefined
  /** Stores the text if the version is still the one expected. @throws {RequestFailure} `state/conflict` */
  readonly save: (draft: string, expected: StoredText['version']) => Promise<unknown>
  /** What is stored now. */
  readonly read: () => Promise<StoredText>
  /** How it is shown while nobody edits it. */
  readonly children: ComponentChildren
}

/** A text that is changed only if nobody else changed it since it was read. Otherwise both are shown. */
export function GuardedText(props: GuardedTextProps): JSX.Element {
  const [editing, setEditing] = useState(false)
  if (editing) return <Editor {...props} onClose={() => setEditing(false)} />
  return (
    <>
      {props.children}{' '}
      {mayDo('write') && (
        <button
          type="button"
          class="btn is-quiet is-small"
          aria-label={`Edit: ${props.label}`}
          onClick={() => setEditing(true)}
        >
          Edit
        </button>
      )}
    </>
  )
}

type EditorProps = GuardedTextProps & { readonly onClose: () => void }

function Editor({ stored, label, code = false, fault = blank, save, read, onClose }: EditorProps): JSX.Element {
  const [based] = useState(stored)
  const [draft, setDraft] = useState(based.text)
  const [conflict, setConflict] = useState<StoredText | undefined>()
  const trySave = async (expected: StoredText['version']): Promise<void> => {
    try {
      await save(draft, expected)
      onClose()
    } catch (error) {
      if (!(error instanceof RequestFailure) || error.code !== 'state/conflict') throw error
      setConflict(await read())
    }
  }
  const keep = (): void => {
    onClose()
    edition.value += 1
  }
  const wrong = fault(draft)
  return (
    <div class="edit-form">
      <textarea
        class={`input${code ? ' is-code' : ''}`}
        rows={Math.min(12, draft.split('\n').length + 1)}
        aria-label={label}
        value={draft}
        onInput={(event) => setDraft(event.currentTarget.value)}
      />
      {conflict === undefined ? (
        <div class="row wrap">
          <ActionButton kind="is-small is-primary" disabled={wrong !== undefined} run={() => trySave(based.version)}>
            Save
          </ActionButton>
          <button type="button" class="btn is-small" onClick={onClose}>
            Cancel
          </button>
          {wrong !== undefined && <span class="dim">{wrong}</span>}
        </div>
      ) : (
        <Conflict
          stored={conflict}
          yours={{ ...based, text: draft }}
          onKeep={keep}
          onSave={() => trySave(conflict.version)}
        />
      )}
    </div>
  )
}

function blank(draft: string): string | undefined {
  return draft.trim() === '' ? 'Write something first.' : undefined
}

interface ConflictProps {
  readonly stored: StoredText
  readonly yours: StoredText
  readonly onKeep: () => void
  readonly onSave: () => Promise<void>
}

function Conflict({ stored, yours, onKeep, onSave }: ConflictProps): JSX.Element {
  return (
    <div class="conflict" role="alert">
      <p>
        <b>Changed while you were editing.</b> Nothing of yours is stored yet.
      </p>
      <div class="two">
        <div>
          <small>Stored now, {stored.called}</small>
          <code class="value">
            <PlainText text={stored.text} />
          </code>
        </div>
        <div>
          <small>Yours, based on {yours.called}</small>
          <code class="value">
            <PlainText text={yours.text} />
          </code>
        </div>
      </div>
      <div class="row wrap">
        <button type="button" class="btn is-small" onClick={onKeep}>
          Keep the stored one
        </button>
        <ActionButton kind="is-small is-primary" run={onSave}>
          Save mine over it
        </ActionButton>
      </div>
    </div>
  )
}
