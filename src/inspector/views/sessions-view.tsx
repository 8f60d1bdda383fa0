import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { SessionPreview, SessionSummary, SessionsPage } from '../../api/sessions.ts'
import { endpoints, queryText } from '../data/endpoints.ts'
import { addressOf, goTo, shownPlace } from '../data/place.ts'
import { request } from '../data/request.ts'
import type { FollowedEvent } from '../data/scope-events.ts'
import { scopes, scopesFailure, shownScope } from '../data/scopes.ts'
import { useReading } from '../data/use-reading.ts'
import { mayDo } from '../data/signed-in.ts'
import { FilterField } from '../parts/filter-field.tsx'
import { ActionButton } from '../parts/action-button.tsx'
import { Icon } from '../parts/icon.tsx'
import { Empty, Failed, Skeleton } from '../parts/notices.tsx'
import { written } from '../parts/numbers.ts'
import { PageHead } from '../parts/page-head.tsx'
import { PlainText } from '../parts/plain-text.tsx'

const PAGE = 50
const BELOW_MAX = 20
/** A session that changed this recently is being written to. */
const LIVE_MS = 60_000

function changesList({ type }: FollowedEvent): boolean {
  return type !== 'fact' && type !== 'job' && type !== 'start'
}

/** The conversations of a scope, last change first. */
export function SessionsView(): JSX.Element {
  const scope = shownScope.value
  const text = shownPlace.value.query.get('text') ?? ''
  const path =
    scope === null
      ? null
      : endpoints.scope(scope, `sessions${queryText({ limit: PAGE, text, order: 'active', preview: true })}`)
  const first = useReading<SessionsPage>(path, { when: { scope, happens: changesList } })
  const [more, setMore] = useState<{ readonly path: string | null; readonly page: SessionsPage } | undefined>()
  const later = more?.path === path ? more.page : undefined
  const sessions = [...(first.data?.sessions ?? []), ...(later?.sessions ?? [])]
  const next = later === undefined ? first.data?.next : later.next
  const own = scopes.value?.find((summary) => summary.scope === scope)
  const readMore = async (): Promise<void> => {
    if (path === null || next === undefined || next === null) return
    const page = await request<SessionsPage>(`${path}&after=${encodeURIComponent(next)}`)
    setMore({ path, page: { ...page, sessions: [...(later?.sessions ?? []), ...page.sessions] } })
  }
  return (
    <>
      <PageHead
        title={
          scope === null ? (
            'Sessions'
          ) : (
            <>
              Sessions of <PlainText text={scope} />
            </>
          )
        }
        about={aboutOf(own?.sessions, sessions)}
      >
        {scope !== null && <Filter text={text} scope={scope} />}
      </PageHead>
      <div class="body">
        {first.failure !== undefined && first.data === undefined ? (
          <Failed failure={first.failure} />
        ) : scopesFailure.value !== undefined && scopes.value === undefined ? (
          <Failed failure={scopesFailure.value} />
        ) : scope === null ? (
          scopes.value === undefined ? (
            <Skeleton />
          ) : (
            <NothingYet />
          )
        ) : first.data === undefined ? (
          <Skeleton />
        ) : sessions.length === 0 ? (
          <NoneHere scope={scope} text={text} />
        ) : (
          <SessionList
            scope={scope}
            sessions={sessions}
            total={own?.sessions}
            more={next === null ? undefined : readMore}
          />
        )}
      </div>
    </>
  )
}

function aboutOf(total: number | undefined, sessions: readonly SessionSummary[]): string {
  if (total === undefined) return 'Last change first.'
  const live = sessions.filter(isLive).length
  const writing = live === 0 ? '' : ` ${live === 1 ? 'One is' : `${live} are`} being written to now.`
  return `${written.count(total, 'conversation')}, last change first.${writing}`
}

function isLive({ updatedAt }: SessionSummary): boolean {
  return Date.now() - new Date(updatedAt).getTime() < LIVE_MS
}

function Filter({ text, scope }: { readonly text: string; readonly scope: string }): JSX.Element {
  return (
    <FilterField
      value={text}
      scope={scope}
      placeholder="Filter by name or text"
      label="Filter sessions by name or description"
      onTyped={(typed) => goTo(addressOf('/sessions', { scope, text: typed }), { replace: true })}
    />
  )
}

interface SessionListProps {
  readonly scope: string
  readonly sessions: readonly SessionSummary[]
  readonly total: number | undefined
  readonly more: (() => Promise<void>) | undefined
}

function SessionList({ scope, sessions, total, more }: SessionListProps): JSX.Element {
  const days = Map.groupBy(sessions, ({ updatedAt }) => written.dayHeading(updatedAt))
  const messages = sessions.reduce((sum, session) => sum + session.messages, 0)
  return (
    <div class="sheet ruled sessions">
      {[...days].map(([heading, found], index) => (
        <section key={heading} aria-label={heading}>
          <div class="day">
            <h2>{heading}</h2>
            {index === 0 && (
              <div class="cols" aria-hidden="true">
                <span>Session</span>
                <span class="num">Messages</span>
                <span class="num">Last request</span>
              </div>
            )}
          </div>
          {found.map((session) => (
            <SessionRow key={session.id} scope={scope} session={session} />
          ))}
        </section>
      ))}
      <div class="foot">
        <span />
        <div class="cols">
          <span>
            {written.number(sessions.length)} of {written.count(total ?? sessions.length, 'session')} shown
            {more !== undefined && (
              <ActionButton kind="is-quiet is-small" run={more}>
                Show more
              </ActionButton>
            )}
          </span>
          <span class="num sum">{written.number(messages)}</span>
        </div>
      </div>
    </div>
  )
}

function SessionRow({ scope, session }: { readonly scope: string; readonly session: SessionSummary }): JSX.Element {
  const { id, description, messages, updatedAt, forkOf, preview } = session
  return (
    <a class="session-row" data-entry href={addressOf('/session', { scope, id })}>
      <span class="when" title={written.moment(updatedAt)}>
        {isLive(session) ? (
          <span class="live">
            <span class="dot is-live" />
            now
          </span>
        ) : (
          <span>{written.time(updatedAt)}</span>
        )}
        <span>{isLive(session) ? written.time(updatedAt) : written.ago(updatedAt)}</span>
      </span>
      <span class="cells">
        <span class="what">
          <span class="name">
            <span>
              <PlainText text={id} />
            </span>
            {forkOf !== null && (
              <span class="chip">
                <Icon name="fork" size={12} />
                fork of <PlainText text={forkOf.id} /> at {forkOf.at}
              </span>
            )}
          </span>
          <span class="peek">
            {typeof preview?.speaker === 'string' ? (
              <>
                <b>
                  <PlainText text={preview.speaker} />
                </b>{' '}
                <PlainText text={preview.text} />
              </>
            ) : (
              description !== null && <PlainText text={description.slice(0, 300)} />
            )}
          </span>
        </span>
        <span class="num">
          {written.number(messages)}
          <span class="only-small"> {messages === 1 ? 'message' : 'messages'}</span>
        </span>
        <span class="num sent">
          {preview?.context != null && (
            <>
              <ShareBar {...preview.context} />
              {written.number(preview.context.tokens)}{' '}
              <span class="dim">of {written.number(preview.context.budget)}</span>
              <span class="dim cached">{written.number(preview.context.cached)} cached</span>
            </>
          )}
        </span>
      </span>
    </a>
  )
}

/** How much of its budget the last request used: what was cached, then what was new. */
function ShareBar({ tokens, budget, cached }: NonNullable<SessionPreview['context']>): JSX.Element {
  const part = (count: number): number => (Math.min(count, budget) / Math.max(1, budget)) * 100
  return (
    <svg class="share" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
      <rect class="share-budget" x="0" y="0" width="100" height="4" />
      <rect class="tb-new" x="0" y="0" width={part(tokens)} height="4" />
      <rect class="share-cached" x="0" y="0" width={part(Math.min(cached, tokens))} height="4" />
    </svg>
  )
}

function NothingYet(): JSX.Element {
  return (
    <Empty title="Nothing has been written yet.">
      <p>
        Append a first message from your program, or load a sample: a support case with tool calls that gets folded,
        facts that change, and a web page that tries to lie.
      </p>
      {mayDo('admin') && (
        <div class="row">
          <ActionButton kind="is-primary" run={async () => (await import('../data/load-sample.ts')).loadSample()}>
            Load the sample
          </ActionButton>
        </div>
      )}
      <pre tabIndex={0} aria-label="Command">
        {'daybook append --create --scope acme/ada \\\n  --session first "Order 7731 is late."'}
      </pre>
      <p class="dim">This page shows it as soon as it is stored.</p>
    </Empty>
  )
}

/** The scopes below one that has no conversations itself. */
function Below({ scope }: { readonly scope: string }): JSX.Element {
  const below = (scopes.value ?? []).filter((each) => each.scope.startsWith(`${scope}/`) && each.sessions > 0)
  if (below.length === 0) return <p>A conversation begins with its first message, and is listed here then.</p>
  return (
    <>
      <p>Scopes below it have some:</p>
      <ul class="below">
        {below.slice(0, BELOW_MAX).map((each) => (
          <li key={each.scope}>
            <a href={addressOf('/sessions', { scope: each.scope })}>
              <PlainText text={each.scope} />
            </a>{' '}
            <span class="dim">{written.count(each.sessions, 'conversation')}</span>
          </li>
        ))}
      </ul>
      {below.length > BELOW_MAX && <p>And {written.number(below.length - BELOW_MAX)} more, in the tree.</p>}
    </>
  )
}

function NoneHere({ scope, text }: { readonly scope: string; readonly text: string }): JSX.Element {
  return text === '' ? (
    <Empty
      title={
        <>
          No conversations in <PlainText text={scope} />.
        </>
      }
    >
      <Below scope={scope} />
    </Empty>
  ) : (
    <Empty
      title={
        <>
          No session matches “<PlainText text={text} />
          ”.
        </>
      }
    >
      <p>The filter looks at names and descriptions. Recall looks at what was said.</p>
      <p>
        <a class="btn" href={addressOf('/recall', { scope, q: text })}>
          Ask recall instead
        </a>
      </p>
    </Empty>
  )
}
