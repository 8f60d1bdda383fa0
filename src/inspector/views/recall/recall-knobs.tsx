import type { JSX } from 'preact'
import type { RecallKind, RecallOptions } from '../../../api/recall.ts'
import { written } from '../../parts/numbers.ts'

export const recallDefaults: RecallOptions = {
  kinds: ['message', 'fold', 'fact'],
  limit: 8,
  budget: 1_000,
  explain: true,
}

const kinds: readonly (readonly [RecallKind, string])[] = [
  ['message', 'messages'],
  ['fold', 'folds'],
  ['fact', 'facts'],
]

interface RecallKnobsProps {
  readonly options: RecallOptions
  readonly onChange: (options: RecallOptions) => void
}

/** The options of `recall`. Weights are the memory's own and cannot be changed here. */
export function RecallKnobs({ options, onChange }: RecallKnobsProps): JSX.Element {
  const chosen = options.kinds ?? []
  const set = (change: Partial<RecallOptions>): void => onChange({ ...options, ...change })
  return (
    <aside class="account" aria-label="Settings">
      <section class="card knobs">
        <h2>
          <span class="grow">Settings</span>
          <button type="button" class="btn is-quiet is-small" onClick={() => onChange(recallDefaults)}>
            Reset
          </button>
        </h2>
        <Kinds chosen={chosen} onChange={(wanted) => set({ kinds: wanted })} />
        <Slider
          name="At most"
          unit="hits"
          max={50}
          step={1}
          value={options.limit ?? 10}
          onChange={(limit) => set({ limit })}
        />
        <Slider
          name="Budget"
          unit="tokens"
          max={8_000}
          step={50}
          value={options.budget ?? 1_000}
          onChange={(budget) => set({ budget })}
        />
        <Day name="Said from" value={options.since} onChange={(since) => onChange(withDay(options, 'since', since))} />
        <Day
          name="Said before"
          value={options.until}
          onChange={(until) => onChange(withDay(options, 'until', until))}
        />
        <Day name="As known on" value={options.asOf} onChange={(asOf) => onChange(withDay(options, 'asOf', asOf))} />
        <Day name="True on" value={options.at} onChange={(at) => onChange(withDay(options, 'at', at))} />
        <Choice name="Only what clearly fits" on={options.relevant} onChange={(relevant) => set({ relevant })} />
        <Choice
          name="With what was said before and after"
          on={options.neighbours}
          onChange={(neighbours) => set({ neighbours })}
        />
        <Choice
          name="Also what is in quarantine"
          on={options.includeQuarantined}
          onChange={(includeQuarantined) => set({ includeQuarantined })}
        />
        <Choice name="Show what was left out" on={options.explain} onChange={(explain) => set({ explain })} />
      </section>
    </aside>
  )
}

interface KindsProps {
  readonly chosen: readonly RecallKind[]
  readonly onChange: (kinds: readonly RecallKind[]) => void
}

function Kinds({ chosen, onChange }: KindsProps): JSX.Element {
  const choose = (kind: RecallKind, on: boolean): void =>
    onChange(kinds.map(([each]) => each).filter((each) => (each === kind ? on : chosen.includes(each))))
  return (
    <div class="checks">
      {kinds.map(([kind, name]) => (
        <label key={kind}>
          <input
            type="checkbox"
            checked={chosen.includes(kind)}
            disabled={chosen.length === 1 && chosen[0] === kind}
            onChange={(event) => choose(kind, event.currentTarget.checked)}
          />
          {name}
        </label>
      ))}
    </div>
  )
}

function withDay(options: RecallOptions, field: 'since' | 'until' | 'asOf' | 'at', day: string): RecallOptions {
  const { [field]: _, ...rest } = options
  return day === '' ? rest : { ...rest, [field]: day }
}

interface SliderProps {
  readonly name: string
  readonly unit: string
  readonly max: number
  readonly step: number
  readonly value: number
  readonly onChange: (value: number) => void
}

function Slider({ name, unit, max, step, value, onChange }: SliderProps): JSX.Element {
  return (
    <label class="knob">
      <span>
        {name}
        <b>
          {written.number(value)} {unit}
        </b>
      </span>
      <input
        type="range"
        min={step}
        max={max}
        step={step}
        value={value}
        aria-valuetext={`${written.number(value)} ${unit}`}
        onChange={(event) => onChange(Number(event.currentTarget.value))}
      />
    </label>
  )
}

interface DayProps {
  readonly name: string
  readonly value: Date | string | undefined
  readonly onChange: (day: string) => void
}

function Day({ name, value, onChange }: DayProps): JSX.Element {
  return (
    <label class="knob">
      <span>{name}</span>
      <input
        class="input"
        type="date"
        value={typeof value === 'string' ? value : ''}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </label>
  )
}

interface ChoiceProps {
  readonly name: string
  readonly on: boolean | undefined
  readonly onChange: (on: boolean) => void
}

function Choice({ name, on = false, onChange }: ChoiceProps): JSX.Element {
  return (
    <label class="choice">
      <input type="checkbox" checked={on} onChange={(event) => onChange(event.currentTarget.checked)} />
      {name}
    </label>
  )
}
