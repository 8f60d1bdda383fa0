import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { StateChange, StateEntry } from '../../../api/state.ts'
import type { JSONValue } from '../../../domain/json.ts'
import { request, sendWrite } from '../../data/request.ts'
import { mayDo } from '../../data/signed-in.ts'
import { useReading } from '../../data/use-reading.ts'
import { ActionButton } from '../../parts/action-button.tsx'
import { written } from '../../parts/numbers.ts'
import { PlainText } from '../../parts/plain-text.tsx'
import { GuardedText, type StoredText } from './guarded-text.tsx'

interface StateValueProps {
  readonly entry: StateEntry
  /** The address of the value. */
  readonly path: string
}

/** A value of the state with the versions it had. It is changed only if nobody else changed it since it was read. */
export function StateValue({ entry, path }: StateValueProps): JSX.Element {
  const [open, setOpen] = useState(false)
  const set = (value: JSONValue, expected: number): Promise<unknown> =>
    sendWrite(path, { method: 'PUT', body: { value, expected } })
  return (
    <>
      <GuardedText
        code
        stored={storedOf(entry)}
        label={`Value of ${entry.key} as JSON`}
        fault={(draft) => (isJson(draft) ? undefined : 'This is not JSON yet.')}
        save={(draft, expected) => set(JSON.parse(draft) as JSONValue, Number(expected))}
        read={async () => storedOf(await request<StateEntry>(path))}
      >
        <code class="value">
          <PlainText text={jsonText(entry.value)} />
        </code>
      </GuardedText>{' '}
      <button type="button" class="btn is-quiet is-small" aria-expanded={open} onClick={() => setOpen(!open)}>
        {open ? 'Hide versions' : 'Versions'}
      </button>
      {open && <Versions path={path} current={entry.version} restore={(value) => set(value, entry.version)} />}
    </>
  )
}

interface VersionsProps {
  readonly path: string
  readonly current: number
  readonly restore: (value: JSONValue) => Promise<unknown>
}

function Versions({ path, current, restore }: VersionsProps): JSX.Element {
  const { data, failure } = useReading<{ readonly changes: readonly StateChange[] }>(`${path}/history`)
  if (failure !== undefined) return <p class="bad-text">{failure.message}</p>
  return (
    <ul class="versions" aria-label="Versions">
      {data?.changes.map(({ version, at, value }) => (
        <li key={version}>
          <span class="dim" title={written.moment(at)}>
            v{version}, {written.day(at)} {written.time(at)}
          </span>
          {value === undefined ? (
            <i>deleted</i>
          ) : (
            <code class="value">
              <PlainText text={jsonText(value)} />
            </code>
          )}
          {version === current ? (
            <span class="dim">now</span>
          ) : (
            value !== undefined && mayDo('write') && <ActionButton run={() => restore(value)}>Restore</ActionButton>
          )}
        </li>
      ))}
    </ul>
  )
}

function storedOf({ value, version }: StateEntry): StoredText {
  return { text: jsonText(value), version, called: `v${version}` }
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
