import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
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
      <Dialog label="Search or jump to" kind="is-search">
        <SearchBox />
      </Dialog>
    )
  return null
}

interface DialogProps {
  readonly label: string
  readonly kind?: string
  readonly children: ComponentChildren
}

function Dialog({ label, kind = '', children }: DialogProps): JSX.Element {
  const element = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    element.current?.showModal()
  }, [])
  return (
    <dialog
      ref={element}
      class={`dialog ${kind}`}
      aria-label={label}
      onClose={closeDialog}
      onClick={(event) => {
        if (event.target === element.current) closeDialog()
      }}
    >
      {children}
    </dialog>
  )
}

function KeyHelp(): JSX.Element {
  return (
    <Dialog label="Keys">
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
    </Dialog>
  )
}
