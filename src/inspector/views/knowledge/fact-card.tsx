import type { JSX } from 'preact'
import type { Fact, FactVersion } from '../../../domain/fact.ts'
import { endpoints } from '../../data/endpoints.ts'
import { addressOf } from '../../data/place.ts'
import { useReading } from '../../data/use-reading.ts'
import { written } from '../../parts/numbers.ts'
import { PlainText } from '../../parts/plain-text.tsx'
import { StateWord } from '../../parts/state-word.tsx'
import { TrustBadge } from '../../parts/trust-badge.tsx'
import { AroundGraph } from './around-graph.tsx'
import { FactActions } from './fact-actions.tsx'
import { SourceWords } from './source-words.tsx'
import { validityText } from './validity-text.ts'

/** One fact: the words it came from, what replaced it, and how it changed. */
export function FactCard({ fact, scope }: { readonly fact: Fact; readonly scope: string }): JSX.Element {
  return (
    <aside class="account" aria-label="The chosen fact">
      <section class="card">
        <h2>
          <span class="serif grow">
            <PlainText text={fact.text.slice(0, 2_000)} />
          </span>
          <TrustBadge trust={fact.trust} />
        </h2>
        {fact.sources.map((source, index) => (
          <SourceWords key={index} source={source} fact={fact} />
        ))}
        <dl class="pairs">
          <div>
            <dt>True</dt>
            <dd>{validityText(fact)}</dd>
          </div>
          <div>
            <dt>Learned</dt>
            <dd title={written.moment(fact.learnedAt)}>{written.date(fact.learnedAt)}</dd>
          </div>
          <div>
            <dt>State</dt>
            <dd>
              <StateWord state={fact.state} />
            </dd>
          </div>
          {fact.closedBy !== undefined && (
            <div>
              <dt>Replaced by</dt>
              <dd>
                <a href={addressOf('/knowledge', { scope, subject: fact.subject, fact: fact.closedBy })}>
                  a later fact
                </a>
              </dd>
            </div>
          )}
          {fact.reason !== undefined && (
            <div>
              <dt>Because</dt>
              <dd>
                <PlainText text={fact.reason} />
              </dd>
            </div>
          )}
        </dl>
        <FactActions fact={fact} />
      </section>
      <History fact={fact} />
      {fact.subject !== null && <AroundGraph scope={scope} subject={fact.subject} />}
    </aside>
  )
}

function History({ fact }: { readonly fact: Fact }): JSX.Element | null {
  const { data } = useReading<{ readonly versions: readonly FactVersion[] }>(
    endpoints.scope(fact.scope, `facts/${encodeURIComponent(fact.id)}/history`),
  )
  const versions = data?.versions ?? []
  if (versions.length < 2) return null
  return (
    <section class="card">
      <h2>History</h2>
      <dl class="pairs">
        {versions.map((version) => (
          <div key={version.revision}>
            <dt title={written.moment(version.knownFrom)}>{written.date(version.knownFrom)}</dt>
            <dd>
              {validityText(version)} · <StateWord state={version.state} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
