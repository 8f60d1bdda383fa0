import type { JSX } from 'preact'
import type { CachePrices } from '../../../api/cache.ts'
import { ComparePolicies } from './compare-policies.tsx'

interface CacheCostProps {
  readonly scope: string
  readonly session: string
  readonly budget: number
  readonly prices: CachePrices
  readonly onPrices: (prices: CachePrices) => void
}

/** Prices that the reader types, and what other policies would have cost under them. */
export function CacheCost({ scope, session, budget, prices, onPrices }: CacheCostProps): JSX.Element {
  return (
    <section class="card">
      <h2>Cached share and cost</h2>
      <div class="row wrap prices">
        <Price
          name="Price of a million tokens"
          value={prices.input}
          onValue={(input) => onPrices({ ...prices, input })}
        />
        <Price
          name="of a million cached tokens"
          value={prices.cached}
          onValue={(cached) => onPrices({ ...prices, cached })}
        />
        <span class="dim">In any currency. They stay on this page.</span>
      </div>
      <ComparePolicies {...{ scope, session, prices, budget }} />
    </section>
  )
}

interface PriceProps {
  readonly name: string
  readonly value: number
  readonly onValue: (value: number) => void
}

function Price({ name, value, onValue }: PriceProps): JSX.Element {
  return (
    <label class="knob">
      <span>{name}</span>
      <input
        class="input"
        type="number"
        min="0"
        step="0.01"
        value={value}
        onInput={(event) => onValue(Math.max(0, Number(event.currentTarget.value) || 0))}
      />
    </label>
  )
}
