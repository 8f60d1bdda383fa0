import type { JSX } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { RecordedContext } from '../../../api/kept-contexts.ts'
import { Icon } from '../../parts/icon.tsx'
import { written } from '../../parts/numbers.ts'
import { PlainText } from '../../parts/plain-text.tsx'
import { type TurnColumns, turnColumns } from './turn-columns.ts'

const WIDTH = 1_128
const HEIGHT = 52
/** Few turns are narrow columns at the left, not blocks. */
const COLUMN_MAX = 36
/** Messages follow when the handle rests. */
const REST_MS = 100

interface TurnSliderProps {
  readonly turns: readonly RecordedContext[]
  /** The turn that is shown; as many as there are turns stands for the next request. */
  readonly at: number
  readonly onTurn: (at: number) => void
}

/** The slider is the chart: one column for each request, with what of it was cached. */
export function TurnSlider({ turns, at, onTurn }: TurnSliderProps): JSX.Element {
  const [dragged, setDragged] = useState(at)
  const resting = useRef<number>(0)
  useEffect(() => setDragged(at), [at])
  useEffect(() => () => clearTimeout(resting.current), [])
  const move = (to: number): void => {
    const next = Math.min(turns.length, Math.max(0, to))
    setDragged(next)
    clearTimeout(resting.current)
    resting.current = window.setTimeout(() => onTurn(next), REST_MS)
  }
  useKeys(turns, dragged, move)
  const turn = turns[dragged]
  const drawn = useMemo(() => turnColumns(turns), [turns])
  const reach = (columnWidth(drawn) * (drawn.columns.length + 1)) / WIDTH
  return (
    <section class="slider" aria-label="Turns">
      <div class="slider-top">
        <button
          type="button"
          class="icon-btn"
          aria-label="Turn before"
          disabled={dragged === 0}
          onClick={() => move(dragged - 1)}
        >
          <Icon name="left" />
        </button>
        <button
          type="button"
          class="icon-btn"
          aria-label="Turn after"
          disabled={dragged === turns.length}
          onClick={() => move(dragged + 1)}
        >
          <Icon name="right" />
        </button>
        <h2>{turn === undefined ? 'Next request' : `Turn ${dragged + 1} of ${turns.length}`}</h2>
        <span class="dim hide-small grow">{turn === undefined ? 'not sent yet' : <Readout turn={turn} />}</span>
        <SliderKey />
      </div>
      <div class="track">
        <input
          type="range"
          min={0}
          max={turns.length}
          value={dragged}
          style={{ width: `${100 * reach}%` }}
          aria-label="Turn"
          aria-valuetext={spoken(turns, dragged)}
          onInput={(event) => move(Number(event.currentTarget.value))}
        />
        <span class="ring" />
        <Columns drawn={drawn} at={dragged} />
      </div>
    </section>
  )
}

/** What the columns and lines mean. */
function SliderKey(): JSX.Element {
  return (
    <span class="slider-key dim hide-small" aria-hidden="true">
      <span>
        <i class="key-cached" />
        cached
      </span>
      <span>
        <i class="key-new" />
        new
      </span>
      <span>
        <i class="key-fold">▼</i>
        compaction
      </span>
      <span>
        <i class="key-budget" />
        budget
      </span>
    </span>
  )
}

function Readout({ turn: { at, tokens, cache, model, missed } }: { readonly turn: RecordedContext }): JSX.Element {
  return (
    <>
      {written.moment(at)} · {written.number(tokens.total)} of {written.number(tokens.budget)} tokens ·{' '}
      {written.number(cache.equalTokens)} cached
      {model !== undefined && (
        <>
          {' '}
          · <PlainText text={model} />
        </>
      )}
      {missed > 0 && ` · ${written.count(missed, 'request')} before it not recorded`}
    </>
  )
}

function spoken(turns: readonly RecordedContext[], at: number): string {
  const turn = turns[at]
  if (turn === undefined) return 'Next request, not sent'
  const share = turn.cache.totalTokens === 0 ? 0 : turn.cache.equalTokens / turn.cache.totalTokens
  return `Turn ${at + 1} of ${turns.length}, ${written.number(turn.tokens.total)} tokens, ${Math.round(share * 100)}% cached`
}

function Columns({ drawn, at }: { readonly drawn: TurnColumns; readonly at: number }): JSX.Element {
  // The columns stay as they are while the handle moves: only the frame and the veil over later turns follow it.
  const picture = useMemo(() => <ColumnPaths {...drawn} />, [drawn])
  const width = columnWidth(drawn)
  const chosen = Math.min(drawn.columns.length, Math.floor(at / drawn.widest))
  const later = Math.min(WIDTH, (chosen + 1) * width)
  return (
    <svg viewBox={`0 -2 ${WIDTH} 58`} preserveAspectRatio="none" aria-hidden="true">
      {picture}
      <rect class="t-veil" x={later} y="-2" width={WIDTH - later} height={HEIGHT + 2} />
      <rect class="tb-sel" x={chosen * width} y="0.5" width={width} height={HEIGHT} rx="3" />
      <path class="t-base" d={`M0 ${HEIGHT + 0.5}H${WIDTH}`} />
    </svg>
  )
}

function columnWidth({ columns }: TurnColumns): number {
  return Math.min(COLUMN_MAX, WIDTH / Math.max(1, columns.length + 1))
}

/** All columns as two shapes: what was cached, and what was new. */
function ColumnPaths(drawn: TurnColumns): JSX.Element {
  const { columns, scale, budget, highMark } = drawn
  const width = columnWidth(drawn)
  const gap = Math.min(4, width / 5)
  const y = (tokens: number): number => HEIGHT - (tokens / scale) * HEIGHT
  const bar = (index: number, top: number, bottom: number): string =>
    `M${round(index * width + gap)} ${round(top)}h${round(width - 2 * gap)}V${round(bottom)}h${-round(width - 2 * gap)}z`
  return (
    <>
      {budget > 0 && <path class="t-budget" d={`M0 ${y(budget)}H${WIDTH}`} />}
      {highMark !== undefined && <path class="t-mark" d={`M0 ${y(highMark)}H${WIDTH}`} />}
      <path class="tb-cached" d={columns.map(({ cached }, index) => bar(index, y(cached), HEIGHT)).join('')} />
      <path
        class="tb-new"
        d={columns.map(({ cached, total }, index) => bar(index, y(total), Math.max(y(total) + 1, y(cached)))).join('')}
      />
      <path
        class="t-tick"
        d={columns
          .map(({ compacted }, index) => (compacted ? `M${round(index * width + width / 2 - 5)} -1h10l-5 7z` : ''))
          .join('')}
      />
    </>
  )
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}

/** Arrow keys move by a turn, with shift by ten; brackets to the compaction before or after. */
function useKeys(turns: readonly RecordedContext[], at: number, move: (to: number) => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const target = event.target as HTMLElement | null
      if (event.metaKey || event.ctrlKey || event.altKey || /^(input|textarea|select)$/i.test(target?.tagName ?? ''))
        return
      const by = event.shiftKey ? 10 : 1
      const isFold = (turn: RecordedContext, index: number): boolean =>
        index > 0 && turn.tokens.folds !== turns[index - 1]?.tokens.folds
      if (event.key === 'ArrowLeft') move(at - by)
      else if (event.key === 'ArrowRight') move(at + by)
      else if (event.key === '[') move(Math.max(0, turns.slice(0, at).findLastIndex(isFold)))
      else if (event.key === ']') {
        const next = turns.findIndex((turn, index) => index > at && isFold(turn, index))
        if (next >= 0) move(next)
      } else return
      event.preventDefault()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  })
}
