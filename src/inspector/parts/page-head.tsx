import type { ComponentChildren, JSX } from 'preact'

interface PageHeadProps {
  readonly title: ComponentChildren
  readonly about?: ComponentChildren
  /** Buttons and fields at the right. */
  readonly children?: ComponentChildren
}

/** The head of a view: its title, a sentence, and what can be done. */
export function PageHead({ title, about, children }: PageHeadProps): JSX.Element {
  return (
    <header class="head">
      <div class="titles">
        <h1 tabIndex={-1}>{title}</h1>
        {about !== undefined && <p>{about}</p>}
      </div>
      {children !== undefined && <div class="actions">{children}</div>}
    </header>
  )
}
