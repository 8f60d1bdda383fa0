import type { ComponentChildren, JSX } from 'preact'
import { useState } from 'preact/hooks'

interface AccountColumnProps {
  readonly label: string
  readonly children: ComponentChildren
}

/** The account beside a conversation. On a narrow page its seal is above the conversation, and the rest opens on request. */
export function AccountColumn({ label, children }: AccountColumnProps): JSX.Element {
  const [open, setOpen] = useState(false)
  return (
    <aside class={`account${open ? ' is-open' : ''}`} aria-label={label}>
      {children}
      <button type="button" class="btn account-opener" aria-expanded={open} onClick={() => setOpen(!open)}>
        {open ? 'Hide the account' : 'Show the account'}
      </button>
    </aside>
  )
}
