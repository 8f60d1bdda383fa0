import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Fact } from '../../../domain/fact.ts'
import { endpoints, queryText } from '../../data/endpoints.ts'
import { addressOf, goTo, shownPlace } from '../../data/place.ts'
import { useReading } from '../../data/use-reading.ts'
import { PlainText } from '../../parts/plain-text.tsx'
import { validityText } from './validity-text.ts'

const ROW = 34
const TOP = 30
const LANES_MAX = 14
const YEAR_MS = 365.25 * 24 * 3_600_000

/** An entity's facts as bars over time: what is true now, what was, and what is not believed yet. */
export function LifeLines({
  scope,
  subject,
}: {
  readonly scope: string
  readonly subject: string
}): JSX.Element | null {
  const states = ['current', 'closed', 'upcoming', 'quarantined', 'disputed']
  const reading = useReading<{ readonly facts: readonly Fact[] }>(
    endpoints.scope(scope, `facts${queryText({ subject, state: states, limit: 200 })}`),
  )
  const facts = reading.data?.facts ?? []
  const lanes = [...Map.groupBy(facts, ({ predicate }) => predicate)].slice(0, LANES_MAX)
  if (facts.length === 0) return null
  return (
    <section class="sheet ruled life" aria-label={`Life lines of ${subject}`}>
      <header>
        <h2>
          Life lines of <PlainText text={subject} />
        </h2>
        <span class="dim">solid is true now, pale was true, dashed is not believed and changes nothing</span>
      </header>
      <div class="life-body">
        <div class="life-names">
          {lanes.map(([predicate, found]) => (
            <div key={predicate} style={{ height: `${heightOf(found)}px` }}>
              <PlainText text={predicate.replaceAll('_', ' ')} />
            </div>
          ))}
        </div>
        <MeasuredChart lanes={lanes} scope={scope} />
      </div>
    </section>
  )
}

function isBelieved({ state }: Fact): boolean {
  return state !== 'quarantined' && state !== 'disputed'
}

/** A fact in its row: what is true at the same time lies one below the other, and what is not believed at the end. */
interface PlacedFact {
  readonly fact: Fact
  readonly row: number
}

function placed(facts: readonly Fact[]): readonly PlacedFact[] {
  const ends: number[] = []
  const believed = facts.filter(isBelieved).toSorted((a, b) => startOf(a) - startOf(b))
  const rows = believed.map((fact): PlacedFact => {
    const free = ends.findIndex((end) => end <= startOf(fact))
    const row = free === -1 ? ends.length : free
    ends[row] = fact.validTo === null ? Infinity : Date.parse(fact.validTo)
    return { fact, row }
  })
  const others = facts.filter((fact) => !isBelieved(fact))
  return [...rows, ...others.map((fact, index) => ({ fact, row: ends.length + index }))]
}

function startOf({ validFrom }: Fact): number {
  return validFrom === null ? -Infinity : Date.parse(validFrom)
}

function heightOf(facts: readonly Fact[]): number {
  return ROW * (1 + Math.max(...placed(facts).map(({ row }) => row)))
}

/** Drawn to the width that there is. */
function MeasuredChart({ lanes, scope }: Omit<ChartProps, 'width'>): JSX.Element {
  const box = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useEffect(() => {
    if (box.current === null) return undefined
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)))
    observer.observe(box.current)
    return () => observer.disconnect()
  }, [])
  return (
    <div ref={box} class="life-chart">
      {width > 0 && <Chart lanes={lanes} width={width} scope={scope} />}
    </div>
  )
}

interface ChartProps {
  readonly lanes: readonly (readonly [string, readonly Fact[]])[]
  readonly width: number
  readonly scope: string
}

function Chart({ lanes, width, scope }: ChartProps): JSX.Element {
  const now = Date.now()
  const times = lanes.flatMap(([, facts]) => facts.flatMap(({ validFrom, validTo }) => [validFrom, validTo]))
  const known = times.flatMap((time) => (time === null ? [] : [Date.parse(time)]))
  const start = Math.min(now - YEAR_MS, ...known) - YEAR_MS / 12
  const end = Math.max(now, ...known) + YEAR_MS / 4
  const x = (time: number): number => ((time - start) / (end - start)) * width
  const height = TOP + lanes.reduce((sum, [, facts]) => sum + heightOf(facts), 0)
  let y = TOP
  return (
    <svg width={width} height={height} role="group" aria-label="Facts over time">
      {yearsBetween(start, end)
        .filter((year) => Math.abs(x(Date.UTC(year, 0)) - x(now)) > 40)
        .map((year) => (
          <g key={year}>
            <path class="life-grid" d={`M${x(Date.UTC(year, 0))} 20V${height}`} />
            <text class="life-year" x={x(Date.UTC(year, 0))} y="14" text-anchor="middle">
              {year}
            </text>
          </g>
        ))}
      {lanes.map(([predicate, facts]) => {
        const top = y
        y += heightOf(facts)
        return placed(facts).map(({ fact, row }) => (
          <Bar
            key={`${predicate} ${fact.id}`}
            fact={fact}
            scope={scope}
            y={top + 6 + row * ROW}
            from={fact.validFrom === null ? 0 : x(Date.parse(fact.validFrom))}
            to={fact.validTo === null ? width - 2 : x(Date.parse(fact.validTo))}
          />
        ))
      })}
      <path class="life-now" d={`M${x(now)} 20V${height}`} />
      <text class="life-now-text" x={x(now)} y="14" text-anchor="middle">
        today
      </text>
    </svg>
  )
}

/** Every year, or every few where there are many. */
function yearsBetween(start: number, end: number): readonly number[] {
  const first = new Date(start).getUTCFullYear() + 1
  const last = new Date(end).getUTCFullYear()
  const step = Math.max(1, Math.ceil((last - first + 1) / 12))
  return Array.from({ length: Math.max(0, Math.ceil((last - first + 1) / step)) }, (_, index) => first + index * step)
}

interface BarProps {
  readonly fact: Fact
  readonly scope: string
  readonly y: number
  readonly from: number
  readonly to: number
}

function Bar({ fact, scope, y, from, to }: BarProps): JSX.Element {
  const width = Math.max(6, to - from - 2)
  const text = typeof fact.object === 'object' ? fact.text : String(fact.object)
  // Written only where all of it fits: the bar has its own name for those who hear it.
  const room = Math.floor((width - 14) / 7)
  const open = (): void =>
    goTo(addressOf('/knowledge', { scope, subject: shownPlace.value.query.get('subject'), fact: fact.id }), {
      replace: true,
    })
  return (
    <g
      class={`life-bar is-${fact.state}`}
      tabIndex={0}
      role="button"
      aria-label={`${fact.text}, ${validityText(fact)}, ${fact.state}`}
      onClick={open}
      onKeyDown={(event) => event.key === 'Enter' && open()}
    >
      <rect x={from} y={y} width={width} height={ROW - 12} rx="2" />
      {text.length <= room && (
        <text x={from + 8} y={y + 15}>
          {text}
        </text>
      )}
    </g>
  )
}
