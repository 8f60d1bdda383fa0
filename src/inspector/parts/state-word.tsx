import type { JSX } from 'preact'
import type { FactState } from '../../domain/fact.ts'

const signs: Readonly<Record<FactState, string>> = {
  current: '●',
  closed: '◔',
  upcoming: '◷',
  disputed: '≠',
  quarantined: '⊘',
  retracted: '✕',
}

/** What a fact is now: a sign and the word together. */
export function StateWord({ state }: { readonly state: FactState }): JSX.Element {
  return (
    <span class={`state is-${state}`}>
      <span aria-hidden="true">{signs[state]}</span>
      {state}
    </span>
  )
}
