import type { JSX } from 'preact'
import type { ContextCache, ContextTokens } from '../../../api/contexts.ts'
import { written } from '../../parts/numbers.ts'
import { tokenKinds } from './token-kinds.ts'

interface TokenLedgerProps {
  readonly tokens: ContextTokens
  /** What a provider's cache could reuse. */
  readonly cached?: ContextCache
}

/** What a request costs, by kind. */
export function TokenLedger({ tokens, cached }: TokenLedgerProps): JSX.Element {
  const parts = tokenKinds
    .map(([kind, name]) => ({ kind, name, value: Number(tokens[kind]) }))
    .filter(({ value }) => value !== 0)
  const scale = Math.max(tokens.budget, tokens.total, 1)
  let x = 0
  return (
    <section class="card">
      <h2>
        <span class="grow">Tokens</span>
        <span class="dim">{tokens.exact ? 'exact' : 'estimated'}</span>
      </h2>
      <svg class="stack" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">
        <rect class="stack-room" width="1000" height="10" rx="2" />
        {parts.map(({ kind, value }) => {
          const width = (Math.max(0, value) / scale) * 1_000
          const from = x
          x += width
          return <rect key={kind} class={`kind-${kind}`} x={from} width={width} height="10" />
        })}
      </svg>
      <table class="ledger">
        <tbody>
          {parts.map(({ kind, name, value }) => (
            <tr key={kind}>
              <td>
                <i class={`swatch kind-${kind}`} /> {name}
              </td>
              <td class="num">{written.number(value)}</td>
            </tr>
          ))}
          <tr class="total">
            <td>Total of {written.number(tokens.budget)}</td>
            <td class="num">{written.number(tokens.total)}</td>
          </tr>
          {cached !== undefined && (
            <tr class="after">
              <td>of which cached</td>
              <td class="num">
                {written.number(cached.equalTokens)} of {written.number(cached.totalTokens)}
              </td>
            </tr>
          )}
        </tbody>
      </table>
    </section>
  )
}
