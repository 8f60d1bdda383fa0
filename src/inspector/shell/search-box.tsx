import type { JSX } from 'preact'
import { useRef, useState } from 'preact/hooks'
import type { SessionSummary, SessionsPage } from '../../api/sessions.ts'
import { endpoints, queryText } from '../data/endpoints.ts'
import { addressOf, goTo } from '../data/place.ts'
import { scopes, shownScope } from '../data/scopes.ts'
import { useReading } from '../data/use-reading.ts'
import { Icon, type IconName } from '../parts/icon.tsx'
import { PlainText } from '../parts/plain-text.tsx'
import { shownDialog } from './shown-dialog.ts'

interface Found {
  readonly icon: IconName
  readonly name: string
  readonly kind: string
  readonly address: string
}

const EACH_MAX = 8

/** Finds sessions of the scope, scopes and views by name, and asks recall about the rest. */
export function SearchBox(): JSX.Element {
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const found = useFound(text)
  const chosen = Math.min(at, found.length - 1)
  const open = (address: string | undefined): void => {
    if (address === undefined) return
    shownDialog.value = undefined
    goTo(address)
  }
  const press = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown') setAt(Math.min(found.length - 1, chosen + 1))
    else if (event.key === 'ArrowUp') setAt(Math.max(0, chosen - 1))
    else if (event.key === 'Enter') open(found[chosen]?.address)
    else return
    event.preventDefault()
  }
  return (
    <>
      <div class="search-field">
        <Icon name="search" />
        <input
          type="text"
          role="combobox"
          aria-expanded="true"
          aria-controls="found"
          aria-activedescendant={`found-${chosen}`}
          aria-label="Search or jump to"
          placeholder="A session, a scope, or a question"
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value)
            setAt(0)
          }}
          onKeyDown={press}
        />
      </div>
      <ul id="found" class="found" role="listbox" aria-label="Found">
        {found.map(({ icon, name, kind, address }, index) => (
          <li
            key={address}
            id={`found-${index}`}
            role="option"
            aria-selected={index === chosen}
            onClick={() => open(address)}
          >
            <Icon name={icon} />
            <span class="name">
              <PlainText text={name} />
            </span>
            <span class="dim">{kind}</span>
          </li>
        ))}
      </ul>
    </>
  )
}

function useFound(text: string): readonly Found[] {
  const scope = shownScope.value
  const wanted = text.trim().toLowerCase()
  const reading = useReading<SessionsPage>(
    scope === null ? null : endpoints.scope(scope, `sessions${queryText({ limit: EACH_MAX, text: wanted })}`),
  )
  // What was found last stays until there is something newer, so that Enter opens what is seen.
  const last = useRef<readonly SessionSummary[]>([])
  if (reading.data !== undefined) last.current = reading.data.sessions
  const sessions = last.current.map(({ id }): Found => ({
    icon: 'sessions',
    name: id,
    kind: `session of ${scope ?? ''}`,
    address: addressOf('/session', { scope, id }),
  }))
  const named = (scopes.value ?? [])
    .filter((other) => wanted !== '' && other.scope.toLowerCase().includes(wanted))
    .slice(0, EACH_MAX)
    .map(({ scope: name }): Found => ({
      icon: 'lines',
      name,
      kind: 'scope',
      address: addressOf('/sessions', { scope: name }),
    }))
  const question: Found[] =
    wanted === ''
      ? []
      : [
          {
            icon: 'search',
            name: text.trim(),
            kind: 'ask recall',
            address: addressOf('/recall', { scope, q: text.trim() }),
          },
        ]
  return [...sessions, ...named, ...question]
}
