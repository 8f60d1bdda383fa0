import type { ComponentType, JSX } from 'preact'
import type { SessionStats } from '../../api/sessions.ts'
import { endpoints } from '../data/endpoints.ts'
import { addressOf, shownPlace } from '../data/place.ts'
import { shownScope } from '../data/scopes.ts'
import { useReading } from '../data/use-reading.ts'
import { Failed } from '../parts/notices.tsx'
import { written } from '../parts/numbers.ts'
import { PageHead } from '../parts/page-head.tsx'
import { PlainText } from '../parts/plain-text.tsx'
import { CompactionsTab } from './session/compactions-tab.tsx'
import { ConversationTab } from './session/conversation-tab.tsx'
import { StateTab } from './session/state-tab.tsx'
import { TokensTab } from './tokens/tokens-tab.tsx'

export interface SessionTabProps {
  readonly scope: string
  readonly session: string
  readonly stats: SessionStats | undefined
}

const tabs: readonly (readonly [name: string, title: string, tab: ComponentType<SessionTabProps>])[] = [
  ['conversation', 'Conversation', ConversationTab],
  ['tokens', 'Tokens', TokensTab],
  ['state', 'State', StateTab],
  ['compactions', 'Compactions', CompactionsTab],
]

/** Only to notice that the session was forgotten: changes of it are followed. */
const AGAIN_MS = 15_000

/** One conversation: what was said and sent, its state, and its compactions. */
export function SessionView(): JSX.Element {
  const { query } = shownPlace.value
  const scope = shownScope.value ?? ''
  const session = query.get('id') ?? ''
  const stats = useReading<SessionStats>(endpoints.session(scope, session, 'stats'), {
    everyMs: AGAIN_MS,
    when: { scope, happens: (event) => 'session' in event && event.session === session },
  })
  const [name, , Tab] = tabs.find(([tab]) => tab === query.get('tab')) ?? tabs[0] ?? ['', '', ConversationTab]
  return (
    <>
      <PageHead title={<PlainText text={session} />} about={<About scope={scope} stats={stats.data} />} />
      <nav class="tabs" aria-label="Session">
        {tabs.map(([tab, title]) => (
          <a
            key={tab}
            href={addressOf('/session', { scope, id: session, tab: tab === 'conversation' ? '' : tab })}
            aria-current={tab === name ? 'page' : undefined}
          >
            {title}
          </a>
        ))}
      </nav>
      {stats.failure !== undefined && stats.data === undefined ? (
        <div class="body">
          <Failed failure={stats.failure} />
        </div>
      ) : (
        <Tab key={`${scope} ${session}`} scope={scope} session={session} stats={stats.data} />
      )}
    </>
  )
}

function About({ scope, stats }: { readonly scope: string; readonly stats: SessionStats | undefined }): JSX.Element {
  const words =
    stats === undefined
      ? []
      : [
          written.count(stats.messages, 'message'),
          written.count(stats.toolCalls, 'tool call'),
          `log version ${written.number(stats.version)}`,
        ]
  return (
    <>
      <a href={addressOf('/sessions', { scope })}>
        <PlainText text={scope} />
      </a>
      {words.map((word) => ` · ${word}`)}
    </>
  )
}
