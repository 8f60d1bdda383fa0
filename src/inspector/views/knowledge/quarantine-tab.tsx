import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Fact } from '../../../domain/fact.ts'
import { endpoints, queryText } from '../../data/endpoints.ts'
import { addressOf } from '../../data/place.ts'
import type { FollowedEvent } from '../../data/scope-events.ts'
import { shownScope } from '../../data/scopes.ts'
import { useReading } from '../../data/use-reading.ts'
import { Empty, Failed, Skeleton } from '../../parts/notices.tsx'
import { written } from '../../parts/numbers.ts'
import { PlainText } from '../../parts/plain-text.tsx'
import { TrustBadge } from '../../parts/trust-badge.tsx'
import { FactActions } from './fact-actions.tsx'
import { SourceWords } from './source-words.tsx'

const PAGE = 50

interface FactsPage {
  readonly facts: readonly Fact[]
  readonly next: string | null
}

/** What nobody has confirmed yet: each fact with its words, and what is believed instead. */
export function QuarantineTab(): JSX.Element {
  const scope = shownScope.value ?? ''
  const [shown, setShown] = useState(PAGE)
  const { data, failure } = useReading<FactsPage>(
    endpoints.scope(scope, `facts${queryText({ limit: shown, state: ['quarantined', 'disputed'] })}`),
    { when: { scope, happens: ({ type }: FollowedEvent) => type === 'fact' } },
  )
  if (data === undefined)
    return <div class="body">{failure === undefined ? <Skeleton rows={3} /> : <Failed failure={failure} />}</div>
  return (
    <div class="body stacked">
      <p class="dim">
        Facts from tools, web pages and imports wait here until somebody endorses or rejects them. Until then no agent
        uses them.
      </p>
      {data.facts.length === 0 ? (
        <Empty title="Nothing waits for you.">
          <p>
            What an agent reads in a tool or on a web page appears here as soon as it says something about somebody.
          </p>
        </Empty>
      ) : (
        <div class="sheet ruled">
          {data.facts.map((fact) => (
            <Waiting key={fact.id} fact={fact} scope={scope} />
          ))}
        </div>
      )}
      {data.next !== null && (
        <p>
          <button type="button" class="btn" onClick={() => setShown(shown + PAGE)}>
            Show more
          </button>
        </p>
      )}
    </div>
  )
}

function Waiting({ fact, scope }: { readonly fact: Fact; readonly scope: string }): JSX.Element {
  const { subject, predicate, learnedAt, trust, sources, state, reason } = fact
  const believed = useReading<FactsPage>(
    subject === null ? null : endpoints.scope(scope, `facts${queryText({ subject, predicate, limit: 5 })}`),
  )
  return (
    <article class="waiting" aria-label={fact.text.slice(0, 200)}>
      <div class="side">
        <TrustBadge trust={trust} />
        <span title={written.moment(learnedAt)}>
          {written.day(learnedAt)}, {written.time(learnedAt)}
        </span>
        {state === 'disputed' && <span>≠ disputed</span>}
      </div>
      <div class="main">
        <h2 class="fact-sentence">
          <PlainText text={fact.text.slice(0, 2_000)} />
        </h2>
        {sources.map((source, index) => (
          <SourceWords key={index} source={source} fact={fact} />
        ))}
        {reason !== undefined && (
          <p class="dim">
            <PlainText text={reason} />
          </p>
        )}
        {believed.data?.facts.map((other) => (
          <p key={other.id}>
            Believed instead:{' '}
            <a href={addressOf('/knowledge', { scope, subject, fact: other.id })}>
              <PlainText text={other.text.slice(0, 300)} />
            </a>
          </p>
        ))}
        <FactActions fact={fact} />
      </div>
    </article>
  )
}
