import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { CachePrices } from '../../../api/cache.ts'
import type { TokenBucket } from '../../../api/kept-contexts.ts'
import { endpoints } from '../../data/endpoints.ts'
import { useReading } from '../../data/use-reading.ts'
import { Empty, Failed, Skeleton } from '../../parts/notices.tsx'
import type { SessionTabProps } from '../session-view.tsx'
import { CacheCost } from './cache-cost.tsx'
import { CacheFigures } from './cache-figures.tsx'
import { TokenChart } from './token-chart.tsx'
import { TokenTable } from './token-table.tsx'

const AGAIN_MS = 10_000

/** What the requests of a session cost, by kind, over the turns. */
export function TokensTab({ scope, session }: SessionTabProps): JSX.Element {
  const reading = useReading<{ readonly buckets: readonly TokenBucket[] }>(
    endpoints.session(scope, session, 'tokens'),
    { everyMs: AGAIN_MS },
  )
  const [at, setAt] = useState<number | undefined>()
  const [prices, setPrices] = useState<CachePrices>({ input: 3, cached: 0.3 })
  const buckets = reading.data?.buckets
  if (buckets === undefined)
    return <div class="body">{reading.failure === undefined ? <Skeleton /> : <Failed failure={reading.failure} />}</div>
  if (buckets.length === 0)
    return (
      <div class="body">
        <Empty title="No request of this session was recorded in the last 30 days.">
          <p>
            A request is recorded when a program builds a context with a key that may write. Contexts with{' '}
            <code>compact: false</code> are not.
          </p>
        </Empty>
      </div>
    )
  const shown = Math.min(buckets.length - 1, at ?? buckets.length - 1)
  return (
    <div class="body tokens-view">
      <CacheFigures {...{ buckets, prices }} />
      <TokenChart {...{ scope, session, buckets, prices }} at={shown} onAt={setAt} />
      <CacheCost {...{ scope, session, prices }} budget={buckets.at(-1)?.tokens.budget ?? 8_000} onPrices={setPrices} />
      <TokenTable scope={scope} session={session} buckets={buckets} />
    </div>
  )
}
