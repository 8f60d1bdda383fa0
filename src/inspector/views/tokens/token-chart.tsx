import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import type { CachePrices } from '../../../api/cache.ts'
import type { TokenBucket } from '../../../api/kept-contexts.ts'
import { addressOf } from '../../data/place.ts'
import { written } from '../../parts/numbers.ts'
import { tokenKinds } from '../session/token-kinds.ts'
import { ChartMargin, type MarginLabel } from './chart-margin.tsx'
import { ChartPicture } from './chart-picture.tsx'
import { chartRows } from './chart-rows.ts'
import { costOf } from './cost-of.ts'

const { width: WIDTH, tokens: AREA, height: HEIGHT } = chartRows
/** Up to this many turns, each is named below the chart; of more, some. */
const NAMED_MAX = 12
const TICKS = 5

interface TokenChartProps {
  readonly scope: string
  readonly session: string
  readonly buckets: readonly TokenBucket[]
  readonly prices: CachePrices
  readonly at: number
  readonly onAt: (at: number) => void
}

/** Areas by kind with the budget and the marks of the policy, then what was cached and what it cost. A line above says the numbers of the chosen turn. */
export function TokenChart({ scope, session, buckets, prices, at, onAt }: TokenChartProps): JSX.Element {
  const most = buckets.reduce((sum, { tokens }) => Math.max(sum, tokens.total), 1)
  const last = buckets.at(-1)
  // A budget far above everything that was said would flatten the areas: then it is not shown.
  const budget = last === undefined || last.tokens.budget > most * 5 ? undefined : last.tokens.budget
  const scale = Math.max(most, budget ?? 0)
  const marks = [last?.highMark, last?.lowMark].flatMap((mark) => (mark !== undefined && mark <= scale ? [mark] : []))
  const step = WIDTH / buckets.length
  const chosen = buckets[at]
  // The picture stays as it is while the handle moves.
  const picture = useMemo(
    () => <ChartPicture {...{ buckets, prices, scale, budget, marks }} />,
    [buckets, prices, scale, budget],
  )
  return (
    <section class="sheet ruled chart-sheet" aria-label="Tokens over turns">
      {chosen !== undefined && <Readout {...{ scope, session, chosen, prices }} turn={turnOf(buckets, at)} />}
      <div class="chart-body">
        <ChartMargin labels={labelsOf({ scale, budget, last })} />
        <div class="track chart-track">
          <input
            type="range"
            min={0}
            max={buckets.length - 1}
            value={at}
            aria-label="Turn of the chart"
            aria-valuetext={`${written.number(chosen?.tokens.total ?? 0)} tokens`}
            onInput={(event) => onAt(Number(event.currentTarget.value))}
          />
          <span class="ring" />
          <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
            {picture}
            <path class="tb-sel" d={`M${at * step + step / 2} 0V${HEIGHT}`} />
          </svg>
        </div>
        <span />
        <Turns buckets={buckets} />
      </div>
      <Names buckets={buckets} />
    </section>
  )
}

interface LabelsOf {
  readonly scale: number
  readonly budget: number | undefined
  readonly last: TokenBucket | undefined
}

function labelsOf({ scale, budget, last }: LabelsOf): readonly MarginLabel[] {
  const top = (tokens: number): number => AREA.top + AREA.height - (tokens / scale) * AREA.height
  const line = (word: string, tokens: number | undefined, kind: 'budget' | 'fold'): readonly MarginLabel[] =>
    tokens === undefined || tokens > scale ? [] : [{ top: top(tokens), word, text: written.number(tokens), kind }]
  return [
    ...(budget === undefined ? [{ top: top(scale), text: written.number(scale) }] : line('budget', budget, 'budget')),
    ...line('folds at', last?.highMark, 'fold'),
    ...line('down to', last?.lowMark, 'fold'),
    { top: top(0), text: '0' },
    { top: chartRows.cached.top + 12, text: 'cached', kind: 'cached' },
    { top: chartRows.cached.top + 28, word: 'share of', text: 'a turn' },
    { top: chartRows.cost.top + 12, text: 'cost' },
    { top: chartRows.cost.top + 28, word: 'of', text: 'a turn' },
  ]
}

interface ReadoutProps extends Pick<TokenChartProps, 'scope' | 'session' | 'prices'> {
  readonly chosen: TokenBucket
  readonly turn: string
}

function Readout({ scope, session, chosen, prices, turn }: ReadoutProps): JSX.Element {
  const { id, contexts, tokens, cache } = chosen
  return (
    <p class="readout" role="status">
      <a href={addressOf('/session', { scope, id: session, turn: id })}>
        {contexts === 1 ? `Turn ${turn}` : `The largest of ${written.number(contexts)} turns up to ${turn}`}
      </a>
      : <b>{written.number(tokens.total)}</b> of {written.number(tokens.budget)} tokens
      {tokenKinds
        .filter(([kind]) => Number(tokens[kind]) !== 0)
        .map(([kind, name]) => ` · ${name} ${written.number(Number(tokens[kind]))}`)
        .join('')}{' '}
      · {written.number(cache.equalTokens)} of {written.number(cache.totalTokens)} cached · cost{' '}
      {written.price(costOf(chosen, prices))}
    </p>
  )
}

/** Few turns are named under their columns, of many some. */
function Turns({ buckets }: Pick<TokenChartProps, 'buckets'>): JSX.Element {
  const all = buckets.length <= NAMED_MAX
  const count = all ? buckets.length : TICKS
  const ticks = Array.from({ length: count }, (_, index) =>
    all ? index : Math.round((index * (buckets.length - 1)) / (count - 1)),
  )
  return (
    <div class={`chart-turns${all ? ' is-all' : ''}`} aria-hidden="true">
      {ticks.map((at, index) => (
        <span key={at}>
          {index === 0 && <i>turn </i>}
          {turnOf(buckets, at)}
        </span>
      ))}
    </div>
  )
}

function Names({ buckets }: Pick<TokenChartProps, 'buckets'>): JSX.Element {
  return (
    <p class="chart-names dim">
      {tokenKinds
        .filter(([kind]) => buckets.some(({ tokens }) => Number(tokens[kind]) > 0))
        .map(([kind, name]) => (
          <span key={kind}>
            <i class={`swatch kind-${kind}`} /> {name}
          </span>
        ))}
      <span>
        <i class="key-fold">▼</i> compaction
      </span>
    </p>
  )
}

/** The number of the last turn of a bucket. */
function turnOf(buckets: readonly TokenBucket[], at: number): string {
  return written.number(buckets.slice(0, at + 1).reduce((sum, { contexts }) => sum + contexts, 0))
}
