import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { TokenBucket } from '../../../api/kept-contexts.ts'
import { addressOf } from '../../data/place.ts'
import { written } from '../../parts/numbers.ts'
import { tokenKinds } from '../session/token-kinds.ts'

interface TokenTableProps {
  readonly scope: string
  readonly session: string
  readonly buckets: readonly TokenBucket[]
}

/** The numbers of the chart. */
export function TokenTable({ scope, session, buckets }: TokenTableProps): JSX.Element {
  const [open, setOpen] = useState(false)
  const kinds = tokenKinds.filter(([kind]) => buckets.some(({ tokens }) => Number(tokens[kind]) !== 0))
  return (
    <section class={open ? 'card' : undefined}>
      <button type="button" class="btn" aria-expanded={open} onClick={() => setOpen(!open)}>
        {open ? 'Hide the table' : 'Show as a table'}
      </button>
      {open && (
        <div class="table-scroll" tabIndex={0} role="region" aria-label="Tokens as a table">
          <table class="ledger">
            <thead>
              <tr>
                <th scope="col">Request</th>
                {kinds.map(([kind, name]) => (
                  <th key={kind} scope="col" class="num">
                    {name}
                  </th>
                ))}
                <th scope="col" class="num">
                  Total
                </th>
                <th scope="col" class="num">
                  Cached
                </th>
              </tr>
            </thead>
            <tbody>
              {buckets.map(({ id, at, tokens, cache }) => (
                <tr key={id}>
                  <td>
                    <a href={addressOf('/session', { scope, id: session, turn: id })}>{written.moment(at)}</a>
                  </td>
                  {kinds.map(([kind]) => (
                    <td key={kind} class="num">
                      {written.number(Number(tokens[kind]))}
                    </td>
                  ))}
                  <td class="num">{written.number(tokens.total)}</td>
                  <td class="num">{written.number(cache.equalTokens)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}
