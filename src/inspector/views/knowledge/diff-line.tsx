import type { ComponentChildren, JSX } from 'preact'

const words = { '−': 'removed', '+': 'added', '=': 'unchanged' } as const

interface DiffLineProps {
  readonly sign: keyof typeof words
  readonly children: ComponentChildren
  /** Said small at the end. */
  readonly note?: ComponentChildren
}

/** One line of a difference, in words: what goes, what comes, what stays. */
export function DiffLine({ sign, children, note }: DiffLineProps): JSX.Element {
  return (
    <div class={`diff-line is-${words[sign]}`}>
      <span class="sign" aria-hidden="true">
        {sign}
      </span>
      <span class="only-heard">{words[sign]}: </span>
      <span class="grow">{children}</span>
      {note !== undefined && <span class="dim">{note}</span>}
    </div>
  )
}
