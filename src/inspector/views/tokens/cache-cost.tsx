import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { TokenBucket } from '../../../api/kept-contexts.ts'
import { written } from '../../parts/numbers.ts'
import { ComparePolicies } from './compare-policies.tsx'

const MILLION = 1_000_000

interface CacheCostProps {
  readonly scope: string
  readonly session: string
  readonly buckets: readonly TokenBucket[]
}

/** How much of all requests could be cached, and what they cost under prices that the reader types. */
export function CacheCost({ scope, session, buckets }: CacheCostProps): JSX.Element {
  const [input, setInput] = useState(3)
  const [cached, setCached] = useState(0.3)
  const sum = (field: 'inputTokens' | 'equalTokens' | 'contexts' | 'missed'): number =>
    buckets.reduce((total, bucket) => total + bucket[field], 0)
  const [tokens, equal, missed] = [sum('inputTokens'), sum('equalTokens'), sum('missed')]
  const cost = ((tokens - equal) * input + equal * cached) / MILLION
  const uncached = (tokens * input) / MILLION
  return (
    <section class="card">
      <h2>Cached share and cost</h2>
      <p class="words">
        <b>{written.number(equal)}</b> of {written.number(tokens)} tokens in {written.count(sum('contexts'), 'request')}{' '}
        were equal to the request before. They cost <b>{written.price(cost)}</b>; without a cache,{' '}
        {written.price(uncached)}.{missed > 0 && ` ${written.count(missed, 'request')} not recorded.`}
      </p>
      <div class="row wrap">
        <Price name="Price of a million tokens" value={input} onValue={setInput} />
        <Price name="of a million cached tokens" value={cached} onValue={setCached} />
      </div>
      <ComparePolicies
        {...{ scope, session }}
        prices={{ input, cached }}
        budget={buckets.at(-1)?.tokens.budget ?? 8_000}
      />
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
