import type { JSX } from 'preact'
import type { TokenBucket } from '../../../api/kept-contexts.ts'
import { addressOf } from '../../data/place.ts'
import { written } from '../../parts/numbers.ts'
import { tokenKinds } from '../session/token-kinds.ts'
import { type StackedArea, stackedAreas } from './stacked-areas.ts'

const WIDTH = 1_000
const HEIGHT = 240

interface TokenChartProps {
  readonly scope: string
  readonly session: string
  readonly buckets: readonly TokenBucket[]
  readonly at: number
  readonly onAt: (at: number) => void
}

/** Areas by kind with the budget and the marks of the policy. A line above says the numbers of the chosen turn. */
export function TokenChart({ scope, session, buckets, at, onAt }: TokenChartProps): JSX.Element {
  const most = buckets.reduce((sum, { tokens }) => Math.max(sum, tokens.total), 1)
  const last = buckets.at(-1)
  const budget = last === undefined || last.tokens.budget > most * 5 ? undefined : last.tokens.budget
  const scale = Math.max(most, budget ?? 0)
  const size = { width: WIDTH, height: HEIGHT, scale }
  const areas = stackedAreas(
    buckets.map(({ tokens }) => tokens),
    size,
  )
  const y = (tokens: number): number => HEIGHT - (tokens / scale) * HEIGHT
  const step = WIDTH / buckets.length
  const chosen = buckets[at]
  return (
    <section class="card chart-card" aria-label="Tokens over turns">
      <h2>Tokens by kind</h2>
      {chosen !== undefined && <Readout {...{ scope, session, chosen }} turn={turnOf(buckets, at)} />}
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
        <svg viewBox={`0 -8 ${WIDTH} ${HEIGHT + 9}`} preserveAspectRatio="none" aria-hidden="true">
          {areas.map(({ kind, outline }) => (
            <path key={kind} class={`kind-${kind}`} d={outline} />
          ))}
          {budget !== undefined && <path class="t-budget" d={`M0 ${y(budget)}H${WIDTH}`} />}
          {[last?.highMark, last?.lowMark].map(
            (mark, index) =>
              mark !== undefined && mark <= scale && <path key={index} class="t-mark" d={`M0 ${y(mark)}H${WIDTH}`} />,
          )}
          {buckets.map(({ tokens }, index) =>
            index > 0 && tokens.folds !== buckets[index - 1]?.tokens.folds ? (
              <path key={index} class="t-tick" d={`M${index * step + step / 2 - 4} -8h8l-4 7z`} />
            ) : null,
          )}
          <path class="tb-sel" d={`M${at * step + step / 2} -8V${HEIGHT}`} />
          <path class="t-base" d={`M0 ${HEIGHT + 0.5}H${WIDTH}`} />
        </svg>
      </div>
      <Names areas={areas} budget={budget} last={last} />
    </section>
  )
}

interface ReadoutProps extends Pick<TokenChartProps, 'scope' | 'session'> {
  readonly chosen: TokenBucket
  readonly turn: string
}

function Readout({ scope, session, chosen, turn }: ReadoutProps): JSX.Element {
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
      · {written.number(cache.equalTokens)} of {written.number(cache.totalTokens)} cached
    </p>
  )
}

interface NamesProps {
  readonly areas: readonly StackedArea[]
  readonly budget: number | undefined
  readonly last: TokenBucket | undefined
}

function Names({ areas, budget, last }: NamesProps): JSX.Element {
  return (
    <p class="chart-names dim">
      {areas.map(({ kind, name }) => (
        <span key={kind}>
          <i class={`swatch kind-${kind}`} /> {name}
        </span>
      ))}
      {budget !== undefined && <span>dotted: budget {written.number(budget)}</span>}
      {last?.highMark !== undefined && (
        <span>
          dashed: folds at {written.number(last.highMark)}
          {last.lowMark !== undefined && `, down to ${written.number(last.lowMark)}`}
        </span>
      )}
      <span>▼ compaction</span>
    </p>
  )
}

/** The number of the last turn of a bucket. */
function turnOf(buckets: readonly TokenBucket[], at: number): string {
  return written.number(buckets.slice(0, at + 1).reduce((sum, { contexts }) => sum + contexts, 0))
}
