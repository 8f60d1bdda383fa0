import type { ComponentChildren, JSX } from 'preact'
import { written } from '../../parts/numbers.ts'

/** What became of a message in the request that is shown. */
export type Lane = 'sent' | 'fold' | 'recalled' | 'out' | 'none'

interface MarginEntryProps {
  /** "46", "6–41". */
  readonly number: ComponentChildren
  readonly tokens?: number
  readonly lane: Lane
  readonly cached?: boolean
  /** What the margin says, at the first entry of a run. */
  readonly note?: ComponentChildren
  readonly added?: boolean
  /** For screen readers: "46, Ada, user, in the window". */
  readonly label: string
  readonly joined?: boolean
  /** The address names it. */
  readonly wanted?: boolean
  readonly children: ComponentChildren
}

/** One entry of a conversation: what happened to it in the margin, what was said on the page. */
export function MarginEntry(props: MarginEntryProps): JSX.Element {
  const {
    number,
    tokens,
    lane,
    cached = false,
    note,
    added = false,
    label,
    joined = false,
    wanted = false,
    children,
  } = props
  return (
    <article
      class={`entry${added ? ' is-new' : ''}${joined ? ' is-joined' : ''}${wanted ? ' is-wanted' : ''}`}
      data-entry
      tabIndex={-1}
      aria-label={label}
    >
      <div class={`rail is-${lane}${cached ? ' is-cached' : ''}`}>
        {note !== undefined && <span class={`note is-${added ? 'new' : lane}`}>{note}</span>}
        <b>{number}</b>
        {tokens !== undefined && <span class="tokens">{written.number(tokens)} tok</span>}
      </div>
      <div class="said">{children}</div>
    </article>
  )
}
