import type { JSX } from 'preact'
import type { CachePrices } from '../../../api/cache.ts'
import type { TokenBucket } from '../../../api/kept-contexts.ts'
import { chartRows } from './chart-rows.ts'
import { costOf } from './cost-of.ts'
import { stackedAreas } from './stacked-areas.ts'

interface ChartPictureProps {
  readonly buckets: readonly TokenBucket[]
  readonly prices: CachePrices
  /** The tokens at the upper end. */
  readonly scale: number
  readonly budget: number | undefined
  /** Where the policy begins to fold, and where it stops. */
  readonly marks: readonly number[]
}

const { width: WIDTH, tokens: AREA, cached: CACHED, cost: COST } = chartRows

/** Three rows over the same turns: tokens by kind, the cached share, and the cost. */
export function ChartPicture({ buckets, prices, scale, budget, marks }: ChartPictureProps): JSX.Element {
  const step = WIDTH / buckets.length
  const y = (tokens: number): number => AREA.top + AREA.height - (tokens / scale) * AREA.height
  const line = (at: number): string => `M0 ${at}H${WIDTH}`
  const areas = stackedAreas(
    buckets.map(({ tokens }) => tokens),
    { width: WIDTH, height: AREA.height, scale },
  )
  const folds = buckets.flatMap(({ tokens }, index) =>
    index > 0 && tokens.folds !== buckets[index - 1]?.tokens.folds ? [index * step + step / 2] : [],
  )
  const costs = buckets.map((bucket) => costOf(bucket, prices))
  const dearest = costs.reduce((most, cost) => Math.max(most, cost), 0)
  const gap = Math.min(3, step / 6)
  return (
    <>
      <g transform={`translate(0 ${AREA.top})`}>
        {areas.map(({ kind, outline }) => (
          <path key={kind} class={`kind-${kind}`} d={outline} />
        ))}
      </g>
      {folds.map((x) => (
        <path key={x} class="t-mark" d={`M${x} ${AREA.top}V${AREA.top + AREA.height}`} />
      ))}
      {budget !== undefined && <path class="t-budget" d={line(y(budget))} />}
      {marks.map((mark) => (
        <path key={mark} class="t-mark" d={line(y(mark))} />
      ))}
      <path class="t-tick" d={folds.map((x) => `M${x - 5} 2h10l-5 9z`).join('')} />
      <path class="t-base" d={line(AREA.top + AREA.height + 0.5)} />
      <path class="t-share" d={shareOutline(buckets, step)} />
      <path class="t-base" d={line(CACHED.top + CACHED.height + 0.5)} />
      <path
        class="t-cost"
        d={costs
          .map((cost, index) => {
            const height = dearest === 0 ? 0 : (cost / dearest) * COST.height
            const [x, width] = [(index * step + gap).toFixed(1), (step - 2 * gap).toFixed(1)]
            return `M${x} ${COST.top + COST.height}v${(-height).toFixed(1)}h${width}v${height.toFixed(1)}z`
          })
          .join('')}
      />
      <path class="t-base" d={line(COST.top + COST.height + 0.5)} />
    </>
  )
}

/** How much of each turn was equal to the one before, as steps from nothing to all of it. */
function shareOutline(buckets: readonly TokenBucket[], step: number): string {
  const bottom = CACHED.top + CACHED.height
  const steps = buckets.map(({ inputTokens, equalTokens }, index) => {
    const share = inputTokens === 0 ? 0 : equalTokens / inputTokens
    return `V${(bottom - share * CACHED.height).toFixed(1)}H${((index + 1) * step).toFixed(1)}`
  })
  return `M0 ${bottom}${steps.join('')}V${bottom}Z`
}
