import type { JSX } from 'preact'
import type { Note } from '../../../api/state.ts'
import { request, sendWrite } from '../../data/request.ts'
import { mayDo } from '../../data/signed-in.ts'
import { ActionButton } from '../../parts/action-button.tsx'
import { written } from '../../parts/numbers.ts'
import { PlainText } from '../../parts/plain-text.tsx'
import { GuardedText, type StoredText } from './guarded-text.tsx'

interface NoteEntryProps {
  readonly note: Note
  /** The address of all notes. */
  readonly path: string
}

/** A note. It is changed only if nobody else changed it since it was read. */
export function NoteEntry({ note, path }: NoteEntryProps): JSX.Element {
  const { id, text, tags, done, updatedAt } = note
  const change = (changed: object): Promise<unknown> =>
    sendWrite(`${path}/${encodeURIComponent(id)}`, { method: 'PATCH', body: changed })
  const read = async (): Promise<StoredText> => {
    const { notes } = await request<{ readonly notes: readonly Note[] }>(path)
    return storedOf(notes.find((each) => each.id === id) ?? { ...note, text: '' })
  }
  return (
    <>
      <GuardedText
        stored={storedOf(note)}
        label={`Note ${text.slice(0, 60)}`}
        save={(draft, expected) => change({ text: draft, expected })}
        read={read}
      >
        <span class="serif">
          <PlainText text={text} />
        </span>
        {tags.map((tag) => (
          <span key={tag} class="chip">
            <PlainText text={tag} />
          </span>
        ))}
      </GuardedText>
      {mayDo('write') && (
        <ActionButton kind="is-quiet is-small" run={() => change({ done: !done, expected: updatedAt })}>
          {done ? 'Open again' : 'Mark as done'}
        </ActionButton>
      )}
    </>
  )
}

function storedOf({ text, updatedAt }: Note): StoredText {
  return { text, version: updatedAt, called: `last changed at ${written.seconds(updatedAt)}` }
}
