import type { JSX } from 'preact'
import type { Trust } from '../../domain/trust.ts'

const words = ['tool or web', 'agent', 'user', 'operator'] as const

/** How far something is trusted: three pips and a word. */
export function TrustBadge({ trust }: { readonly trust: Trust }): JSX.Element {
  return (
    <span class={`trust${trust === 0 ? ' is-untrusted' : ''}`}>
      <svg width="31" height="10" viewBox="0 0 31 10" aria-hidden="true">
        {[0, 1, 2].map((pip) => (
          <circle key={pip} class={pip < trust ? 'on' : ''} cx={5 + pip * 10.5} cy="5" r="3.6" />
        ))}
      </svg>
      {words[trust]}
    </span>
  )
}
