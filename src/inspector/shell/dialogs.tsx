import type { JSX } from 'preact'
import { Modal } from '../parts/modal.tsx'
import { shortcuts } from './shortcuts.ts'
import { SearchBox } from './search-box.tsx'
import { shownDialog } from './shown-dialog.ts'

function closeDialog(): void {
  shownDialog.value = undefined
}

/** What opens over the page: the search and the list of keys. */
export function Dialogs(): JSX.Element | null {
  if (shownDialog.value === 'keys') return <KeyHelp />
  if (shownDialog.value === 'search')
    return (
      <Modal label="Search or jump to" kind="is-search" onClose={closeDialog}>
        <SearchBox />
      </Modal>
    )
  return null
}

function KeyHelp(): JSX.Element {
  return (
    <Modal label="Keys" onClose={closeDialog}>
      <header>
        <h2>Keys</h2>
        <button type="button" class="btn is-small" onClick={closeDialog}>
          Close
        </button>
      </header>
      <dl class="keys">
        {shortcuts.map(({ keys, does }) => (
          <div key={does}>
            <dt>{does}</dt>
            <dd>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Modal>
  )
}
