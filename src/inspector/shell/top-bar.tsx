import type { JSX } from 'preact'
import { addressOf, shownPlace } from '../data/place.ts'
import { connection } from '../data/request.ts'
import { shownScope } from '../data/scopes.ts'
import { ownKey, signOut } from '../data/signed-in.ts'
import { Icon } from '../parts/icon.tsx'
import { PlainText } from '../parts/plain-text.tsx'
import { shownDialog } from './shown-dialog.ts'
import { shownTheme, switchTheme } from './theme.ts'

/** The place, the search, whether the page is live, the key and the theme. */
export function TopBar(): JSX.Element {
  const can = ownKey.value?.can ?? []
  const other = shownTheme() === 'dark' ? 'light' : 'dark'
  return (
    <header class="bar">
      <a class="brand" href="/sessions" aria-label="Daybook, all sessions">
        <Mark />
        <span>Daybook</span>
      </a>
      <Crumbs />
      <button type="button" class="find" onClick={() => (shownDialog.value = 'search')}>
        <Icon name="search" size={14} />
        <span>Search or jump to</span>
        <kbd>{navigator.platform.startsWith('Mac') ? '⌘ K' : 'Ctrl K'}</kbd>
      </button>
      <span class="live" role="status">
        <span class={`dot${connection.value.lost ? ' is-lost' : ' is-live'}`} />
        {connection.value.lost ? 'Offline' : 'Live'}
      </span>
      <button type="button" class="chip" onClick={() => void signOut()} title="Sign out: the page forgets this key">
        <Icon name="key" size={12} />
        {can.includes('admin') ? 'admin' : can.join(', ')}
      </button>
      <button type="button" class="icon-btn" onClick={switchTheme} aria-label={`Switch to the ${other} theme`}>
        <Icon name={other === 'dark' ? 'moon' : 'sun'} />
      </button>
    </header>
  )
}

function Crumbs(): JSX.Element {
  const { query, path } = shownPlace.value
  const session = path === '/session' ? query.get('id') : null
  const names = shownScope.value?.split('/') ?? []
  return (
    <nav class="crumbs" aria-label="Place">
      {names.map((name, index) => {
        const last = index === names.length - 1 && session === null
        const scope = names.slice(0, index + 1).join('/')
        return (
          <span key={scope}>
            {last ? (
              <b>
                <PlainText text={name} />
              </b>
            ) : (
              <a href={addressOf('/sessions', { scope })}>
                <PlainText text={name} />
              </a>
            )}
            {!last && <i>/</i>}
          </span>
        )
      })}
      {session !== null && (
        <b>
          <PlainText text={session} />
        </b>
      )}
    </nav>
  )
}

function Mark(): JSX.Element {
  return (
    <svg width="20" height="22" viewBox="0 0 20 22" fill="none" aria-hidden="true">
      <rect class="mark-page" x="1.7" y="1.7" width="16.6" height="18.6" rx="2.6" stroke-width="1.5" />
      <path class="mark-margin" d="M6.2 2v18M8 2v18" />
      <path class="mark-line" d="M10.5 7.5h5M10.5 11h5M10.5 14.5h3" stroke-width="1.3" stroke-linecap="round" />
    </svg>
  )
}
