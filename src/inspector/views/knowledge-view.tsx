import type { ComponentType, JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Fact, FactState } from '../../domain/fact.ts'
import { endpoints, queryText } from '../data/endpoints.ts'
import { addressOf, goTo, shownPlace } from '../data/place.ts'
import { request } from '../data/request.ts'
import type { FollowedEvent } from '../data/scope-events.ts'
import { shownScope } from '../data/scopes.ts'
import { useReading } from '../data/use-reading.ts'
import { FilterField } from '../parts/filter-field.tsx'
import { ActionButton } from '../parts/action-button.tsx'
import { Empty, Failed, Skeleton } from '../parts/notices.tsx'
import { written } from '../parts/numbers.ts'
import { PageHead } from '../parts/page-head.tsx'
import { PlainText } from '../parts/plain-text.tsx'
import { StateWord } from '../parts/state-word.tsx'
import { TrustBadge } from '../parts/trust-badge.tsx'
import { lazyView } from '../shell/lazy-view.tsx'
import { FactCard } from './knowledge/fact-card.tsx'
import { LifeLines } from './knowledge/life-lines.tsx'
import { validityText } from './knowledge/validity-text.ts'

const PAGE = 100
const WAITING: readonly FactState[] = ['quarantined', 'disputed']
const allStates: readonly FactState[] = ['current', 'closed', 'upcoming', 'quarantined', 'disputed', 'retracted']

interface FactsPage {
  readonly facts: readonly Fact[]
  readonly next: string | null
}

const tabs: readonly (readonly [name: string, title: string, tab: ComponentType])[] = [
  ['facts', 'Facts', FactsTab],
  ['graph', 'Graph', lazyView(async () => (await import('./knowledge/graph-tab.tsx')).GraphTab)],
  ['compare', 'Compare two moments', lazyView(async () => (await import('./knowledge/compare-tab.tsx')).CompareTab)],
  ['quarantine', 'Quarantine', lazyView(async () => (await import('./knowledge/quarantine-tab.tsx')).QuarantineTab)],
  ['proposals', 'Proposals', lazyView(async () => (await import('./knowledge/proposals-tab.tsx')).ProposalsTab)],
]

/** What is known in a scope: as a list, as a graph, at two moments, and what somebody proposes to change. */
export function KnowledgeView(): JSX.Element {
  const scope = shownScope.value
  const [name, , Tab] = tabs.find(([tab]) => tab === shownPlace.value.query.get('tab')) ?? tabs[0] ?? ['', '', FactsTab]
  const counts: Readonly<Record<string, string | undefined>> = { quarantine: useWaiting(scope) }
  if (scope === null) return <Nothing />
  return (
    <>
      <PageHead
        title={
          <>
            What is known in <PlainText text={scope} />
          </>
        }
      />
      <nav class="tabs" aria-label="Knowledge">
        {tabs.map(([tab, title]) => (
          <a
            key={tab}
            href={addressOf('/knowledge', { scope, tab: tab === 'facts' ? '' : tab })}
            aria-current={tab === name ? 'page' : undefined}
          >
            {title}
            {counts[tab] !== undefined && <span class="count">{counts[tab]}</span>}
          </a>
        ))}
      </nav>
      <Tab key={`${scope} ${name}`} />
    </>
  )
}

/** How many facts wait for somebody to decide; undefined if none. */
function useWaiting(scope: string | null): string | undefined {
  const { data } = useReading<FactsPage>(
    scope === null ? null : endpoints.scope(scope, `facts${queryText({ limit: PAGE, state: WAITING })}`),
    { when: { scope, happens: ({ type }) => type === 'fact' } },
  )
  if (data === undefined || data.facts.length === 0) return undefined
  return `${data.facts.length}${data.next === null ? '' : '+'}`
}

/** Facts: when each is true, who said so, and how far that is trusted. */
function FactsTab(): JSX.Element {
  const scope = shownScope.value
  const { query } = shownPlace.value
  const subject = query.get('subject') ?? ''
  const shown = statesOf(query.get('states'))
  const source = sourceOf(query)
  const path =
    scope === null ? null : endpoints.scope(scope, `facts${queryText({ limit: PAGE, subject, state: shown, source })}`)
  const when = { scope, happens: ({ type }: FollowedEvent): boolean => type === 'fact' }
  const reading = useReading<FactsPage>(path, { when })
  const version = useReading<{ readonly version: number }>(
    scope === null ? null : endpoints.scope(scope, 'knowledge-version'),
    { when },
  )
  const [more, setMore] = useState<(FactsPage & { readonly path: string | null }) | undefined>()
  const later = more?.path === path ? more : undefined
  const facts = [...(reading.data?.facts ?? []), ...(later?.facts ?? [])]
  const next = later === undefined ? reading.data?.next : later.next
  const readMore = async (): Promise<void> => {
    if (path === null || next === null || next === undefined) return
    const page = await request<FactsPage>(`${path}&after=${encodeURIComponent(next)}`)
    setMore({ path, facts: [...(later?.facts ?? []), ...page.facts], next: page.next })
  }
  if (scope === null) return <Nothing />
  return (
    <>
      <div class="body stacked">
        <div class="row wrap">
          <p class="grow dim">{aboutOf(facts, next, version.data?.version)}</p>
          <SubjectFilter scope={scope} subject={subject} />
          <StateChoice scope={scope} subject={subject} chosen={query.get('states') ?? ''} />
        </div>
        {source !== undefined && (
          <p>
            What one message taught. <a href={addressOf('/knowledge', { scope })}>Show everything</a>
          </p>
        )}
        {subjectOf(facts, subject) !== undefined && source === undefined && (
          <LifeLines scope={scope} subject={subjectOf(facts, subject) ?? ''} />
        )}
        {reading.failure !== undefined && reading.data === undefined ? (
          <Failed failure={reading.failure} />
        ) : reading.data === undefined ? (
          <Skeleton />
        ) : facts.length === 0 ? (
          <Nothing subject={subject} quarantine={query.get('states') === 'quarantine'} taught={source !== undefined} />
        ) : (
          <FactTable scope={scope} facts={facts} more={next === null ? undefined : readMore} />
        )}
      </div>
    </>
  )
}

/** Whose life lines to show: the subject asked for, else the one that most is known about. */
function subjectOf(facts: readonly Fact[], asked: string): string | undefined {
  if (asked !== '') return facts.length === 0 ? undefined : asked
  const counts = new Map<string, number>()
  for (const { subject } of facts) if (subject !== null) counts.set(subject, (counts.get(subject) ?? 0) + 1)
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0]
}

function aboutOf(facts: readonly Fact[], next: string | null | undefined, version: number | undefined): string {
  const quarantined = facts.filter(({ state }) => state === 'quarantined').length
  const waiting = quarantined === 0 ? '' : ` ${quarantined === 1 ? 'One is' : `${quarantined} are`} in quarantine.`
  const shown = `${written.count(facts.length, 'fact')}${typeof next === 'string' ? ' shown so far' : ''}`
  return `${shown}, with those inherited from above${version === undefined ? '' : `; version ${written.number(version)}`}.${waiting}`
}

function SubjectFilter({ scope, subject }: { readonly scope: string; readonly subject: string }): JSX.Element {
  const look = (typed: string): void => {
    const states = shownPlace.value.query.get('states')
    goTo(addressOf('/knowledge', { scope, subject: typed, states }), { replace: true })
  }
  return (
    <FilterField
      value={subject}
      scope={scope}
      placeholder="About whom or what"
      label="Facts about this subject"
      onTyped={look}
    />
  )
}

interface StateChoiceProps {
  readonly scope: string
  readonly subject: string
  readonly chosen: string
}

const choices: readonly (readonly [value: string, name: string])[] = [
  ['current', 'Current'],
  ['', 'All states'],
  ['quarantine', 'Quarantine'],
]

function statesOf(chosen: string | null): readonly FactState[] | undefined {
  return chosen === 'current' ? undefined : chosen === 'quarantine' ? WAITING : allStates
}

/** Only what one message taught, if the address says so. */
function sourceOf(query: URLSearchParams): object | undefined {
  const message = query.get('message')
  return message === null ? undefined : { message, session: query.get('from') ?? undefined }
}

function StateChoice({ scope, subject, chosen }: StateChoiceProps): JSX.Element {
  return (
    <div class="segmented" role="group" aria-label="Which facts">
      {choices.map(([states, name]) => (
        <button
          key={states}
          type="button"
          aria-pressed={chosen === states}
          onClick={() => goTo(addressOf('/knowledge', { scope, subject, states }), { replace: true })}
        >
          {name}
        </button>
      ))}
    </div>
  )
}

interface FactTableProps {
  readonly scope: string
  readonly facts: readonly Fact[]
  readonly more: (() => Promise<void>) | undefined
}

function FactTable({ scope, facts, more }: FactTableProps): JSX.Element {
  const { query } = shownPlace.value
  const chosen = facts.find(({ id }) => id === query.get('fact')) ?? facts[0]
  const choose = (fact: string): void => {
    const kept = { scope, subject: query.get('subject'), states: query.get('states'), fact }
    goTo(addressOf('/knowledge', kept), { replace: true })
  }
  return (
    <div class="with-side">
      <div>
        <div class="sheet scrolls" tabIndex={0} role="region" aria-label="Facts">
          <table class="table">
            <thead>
              <tr>
                <th>Fact</th>
                <th>True</th>
                <th>Trust</th>
                <th class="num hide-medium">Sources</th>
                <th>State</th>
              </tr>
            </thead>
            <tbody>
              {facts.map((fact) => (
                <tr
                  key={fact.id}
                  class={`${fact === chosen ? 'is-on' : ''}${fact.state === 'closed' || fact.state === 'retracted' ? ' is-closed' : ''}`}
                >
                  <td>
                    <button
                      type="button"
                      class="fact"
                      data-entry
                      aria-pressed={fact === chosen}
                      onClick={() => choose(fact.id)}
                    >
                      <PlainText text={fact.text.slice(0, 2_000)} />
                    </button>
                    {fact.scope !== scope && (
                      <span class="dim inherited">
                        from <PlainText text={fact.scope} />
                      </span>
                    )}
                  </td>
                  <td>{validityText(fact)}</td>
                  <td>
                    <TrustBadge trust={fact.trust} />
                  </td>
                  <td class="num hide-medium">{written.number(fact.sourceCount)}</td>
                  <td>
                    <StateWord state={fact.state} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        {more !== undefined && (
          <p class="more">
            <ActionButton kind="" run={more}>
              Show more
            </ActionButton>
          </p>
        )}
      </div>
      {chosen !== undefined && <FactCard key={chosen.id} fact={chosen} scope={scope} />}
    </div>
  )
}

function Nothing({
  subject = '',
  quarantine = false,
  taught = false,
}: {
  readonly subject?: string
  readonly quarantine?: boolean
  /** Only what one message taught is shown. */
  readonly taught?: boolean
}): JSX.Element {
  if (taught)
    return (
      <Empty title="This message teaches nothing.">
        <p>Nothing was learned from it, or it was all taken back.</p>
      </Empty>
    )
  if (quarantine)
    return (
      <Empty title="Nothing waits for you.">
        <p>
          Facts from tools, web pages and imports wait here until somebody endorses or rejects them. Until then they are
          not used.
        </p>
      </Empty>
    )
  return subject === '' ? (
    <Empty title="Nothing is known here yet.">
      <p>
        Facts come from conversations, from <code>remember</code> and from imports. Each of them keeps the words that it
        came from.
      </p>
    </Empty>
  ) : (
    <Empty
      title={
        <>
          Nothing is known about “<PlainText text={subject} />
          ”.
        </>
      }
    >
      <p>The name must be that of the subject, or one of its aliases.</p>
    </Empty>
  )
}
