import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { CachePrices, CacheSimulation } from '../../../api/cache.ts'
import { endpoints } from '../../data/endpoints.ts'
import { request } from '../../data/request.ts'
import { ActionButton } from '../../parts/action-button.tsx'
import { written } from '../../parts/numbers.ts'
import { PlainText } from '../../parts/plain-text.tsx'
import { offeredPolicies } from '../session/offered-policies.ts'

interface ComparePoliciesProps {
  readonly scope: string
  readonly session: string
  readonly prices: CachePrices
  readonly budget: number
}

/** What the session would have cost under each policy. The server replays it in a copy; nothing is stored. */
export function ComparePolicies({ scope, session, prices, budget }: ComparePoliciesProps): JSX.Element {
  const [found, setFound] = useState<readonly CacheSimulation[]>([])
  const compare = async (): Promise<void> => {
    const path = endpoints.session(scope, session, 'simulate-cache')
    const { simulations } = await request<{ readonly simulations: readonly CacheSimulation[] }>(path, {
      body: { policies: offeredPolicies, prices, budget },
    })
    setFound(simulations)
  }
  return (
    <>
      <p class="row wrap after-words">
        <ActionButton kind="" run={compare}>
          Compare policies
        </ActionButton>
        <span class="dim">
          Replays the session in a copy with a budget of {written.number(budget)}. Nothing is stored.
        </span>
      </p>
      {found.length > 0 && (
        <div class="table-scroll" tabIndex={0} role="region" aria-label="Policies compared">
          <table class="ledger">
            <thead>
              <tr>
                <th scope="col">Policy</th>
                {['Calls', 'Tokens', 'Cached', 'Compactions', 'Cost'].map((name) => (
                  <th key={name} scope="col" class="num">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {found.map(({ policy, calls, inputTokens, cachedTokens, compactions, cost }) => (
                <tr key={policy}>
                  <td>
                    <PlainText text={policy} />
                  </td>
                  <td class="num">{written.number(calls)}</td>
                  <td class="num">{written.number(inputTokens)}</td>
                  <td class="num">{written.number(cachedTokens)}</td>
                  <td class="num">{written.number(compactions)}</td>
                  <td class="num">{written.price(cost)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  )
}
