import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import type { Fact } from '../../../domain/fact.ts'
import { addressOf, goTo, shownPlace } from '../../data/place.ts'
import { shownScope } from '../../data/scopes.ts'
import { useFacts } from '../../data/use-facts.ts'
import { Failed, Skeleton } from '../../parts/notices.tsx'
import { written } from '../../parts/numbers.ts'
import { PlainText } from '../../parts/plain-text.tsx'
import { DiffLine } from './diff-line.tsx'

const FACTS_MAX = 2_000
const DAY_MS = 86_400_000

/** What was held to be true at one moment and at another: what came, what went, and what stayed. */
export function CompareTab(): JSX.Element {
  const scope = shownScope.value ?? ''
  const { query } = shownPlace.value
  const now = useMemo(() => Date.now(), [])
  const from = query.get('from') ?? minute(now - 7 * DAY_MS)
  const to = query.get('to') ?? minute(now)
  const before = useFacts(scope, { asOf: new Date(from).toISOString() }, FACTS_MAX)
  const after = useFacts(scope, { asOf: momentOf(to, now) }, FACTS_MAX)
  const change = (fields: object): void =>
    goTo(addressOf('/knowledge', { scope, tab: 'compare', from, to, ...fields }), { replace: true })
  const failure = before.failure ?? after.failure
  return (
    <div class="body stacked">
      <div class="row wrap">
        <Moment label="Before" value={from} onChange={(value) => change({ from: value })} />
        <Moment label="After" value={to} onChange={(value) => change({ to: value })} />
      </div>
      {failure !== undefined ? (
        <Failed failure={failure} />
      ) : before.facts === undefined || after.facts === undefined ? (
        <Skeleton />
      ) : (
        <Difference
          scope={scope}
          before={before.facts}
          after={after.facts}
          cut={before.more === true || after.more === true}
        />
      )}
    </div>
  )
}

interface DifferenceProps {
  readonly scope: string
  readonly before: readonly Fact[]
  readonly after: readonly Fact[]
  /** There are more facts than were compared. */
  readonly cut: boolean
}

function Difference({ scope, before, after, cut }: DifferenceProps): JSX.Element {
  const { gone, come, stayed } = useMemo(() => {
    const [then, now] = [new Set(before.map(({ id }) => id)), new Set(after.map(({ id }) => id))]
    return {
      gone: before.filter(({ id }) => !now.has(id)),
      come: after.filter(({ id }) => !then.has(id)),
      stayed: after.filter(({ id }) => then.has(id)),
    }
  }, [before, after])
  return (
    <section class="card" aria-label="Difference">
      <p class="words" role="status">
        {written.count(come.length, 'fact')} came, {written.number(gone.length)} went, {written.number(stayed.length)}{' '}
        stayed.{cut && ` Only the newest ${written.number(FACTS_MAX)} of each moment were compared.`}
      </p>
      <div class="diff">
        {gone.map((fact) => (
          <Compared key={fact.id} sign="−" fact={fact} scope={scope} />
        ))}
        {come.map((fact) => (
          <Compared key={fact.id} sign="+" fact={fact} scope={scope} />
        ))}
      </div>
      {stayed.length > 0 && (
        <details>
          <summary>{written.count(stayed.length, 'fact')} that stayed</summary>
          <div class="diff">
            {stayed.slice(0, SHOWN_MAX).map((fact) => (
              <Compared key={fact.id} sign="=" fact={fact} scope={scope} />
            ))}
          </div>
        </details>
      )}
    </section>
  )
}

const SHOWN_MAX = 500

function Compared({
  sign,
  fact,
  scope,
}: {
  readonly sign: '−' | '+' | '='
  readonly fact: Fact
  readonly scope: string
}): JSX.Element {
  return (
    <DiffLine sign={sign}>
      <a href={addressOf('/knowledge', { scope, subject: fact.subject, fact: fact.id })}>
        <PlainText text={fact.text.slice(0, 1_000)} />
      </a>
    </DiffLine>
  )
}

interface MomentProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
}

function Moment({ label, value, onChange }: MomentProps): JSX.Element {
  return (
    <label>
      {label}{' '}
      <input
        class="input"
        type="datetime-local"
        value={value}
        onChange={({ currentTarget }) => currentTarget.value !== '' && onChange(currentTarget.value)}
      />
    </label>
  )
}

/** As the input has it: local time, to the minute. */
function minute(at: number): string {
  return new Date(at - new Date(at).getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** The minute that is not over yet means now. */
function momentOf(text: string, now: number): string | undefined {
  return new Date(text).getTime() + 60_000 > now ? undefined : new Date(text).toISOString()
}
