import type { JSX } from 'preact'
import type { CachePrices } from '../../../api/cache.ts'
import type { TokenBucket } from '../../../api/kept-contexts.ts'
import { written } from '../../parts/numbers.ts'
import { costOf } from './cost-of.ts'

/** How much of all requests could be cached, and what they cost, in large figures. */
export function CacheFigures({
  buckets,
  prices,
}: {
  readonly buckets: readonly TokenBucket[]
  readonly prices: CachePrices
}): JSX.Element {
  const sum = (field: 'inputTokens' | 'equalTokens' | 'contexts' | 'missed'): number =>
    buckets.reduce((total, bucket) => total + bucket[field], 0)
  const [tokens, equal, missed] = [sum('inputTokens'), sum('equalTokens'), sum('missed')]
  const figures: readonly (readonly [name: string, value: string])[] = [
    ['Turns', written.number(sum('contexts'))],
    ['Input tokens', written.number(tokens)],
    ['Equal to the turn before', written.number(equal)],
    ['Cost at your prices', written.price(costOf({ inputTokens: tokens, equalTokens: equal }, prices))],
    ['Without a cache', written.price(costOf({ inputTokens: tokens, equalTokens: 0 }, prices))],
    ...(missed > 0 ? [['Not recorded', written.count(missed, 'request')] as const] : []),
  ]
  return (
    <dl class="figures">
      {figures.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
