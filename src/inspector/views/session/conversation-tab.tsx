import type { JSX } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import type { ListedCompaction } from '../../../api/contexts.ts'
import type { RecordedContext } from '../../../api/kept-contexts.ts'
import type { Fold } from '../../../domain/fold.ts'
import type { Message } from '../../../domain/message.ts'
import { endpoints } from '../../data/endpoints.ts'
import { addressOf, goTo, shownPlace } from '../../data/place.ts'
import { useMessages } from '../../data/use-messages.ts'
import { type Reading, useReading } from '../../data/use-reading.ts'
import { useTurns } from '../../data/use-turns.ts'
import { Empty, Failed, Skeleton } from '../../parts/notices.tsx'
import type { SessionTabProps } from '../session-view.tsx'
import { RebuiltTurn } from '../turn/rebuilt-turn.tsx'
import { SentTurn } from '../turn/sent-turn.tsx'
import { TurnSlider } from '../turn/turn-slider.tsx'
import { MessageList } from './message-list.tsx'
import { RecalledEntry } from './recalled-entry.tsx'
import { RequestAccount } from './request-account.tsx'
import { SessionAccount } from './session-account.tsx'
import { offeredPolicies } from './offered-policies.ts'
import { type BuiltContext, type RequestSettings, foldsOf, omissionOf, useNextRequest } from './shown-request.ts'

/** Of longer sessions the next request is built when somebody asks for it: it may take a while. */
const BUILT_UP_TO = 2_000

const NO_FOLDS: readonly Fold[] = []

const DEFAULTS: RequestSettings = { budget: 8_000, policy: 'balanced', recall: false }

/** What the program asked for last, so that the next request is built as it would build it. */
function usualSettings(turn: RecordedContext | undefined): RequestSettings {
  if (turn === undefined) return DEFAULTS
  const policy = offeredPolicies.find((name) => name === turn.policy) ?? DEFAULTS.policy
  return { budget: turn.tokens.budget, policy, recall: turn.tokens.recalled > 0 }
}

/** Whether the first request is still being built. */
function isFirst(builds: boolean, { loading, data }: Reading<BuiltContext>): boolean {
  return builds && loading && data === undefined
}

interface ListedCompactions {
  readonly compactions: readonly ListedCompaction[]
}

/** What was said and sent: the slider chooses a request that was recorded, or the next one. */
export function ConversationTab(props: SessionTabProps): JSX.Element {
  const { scope, session } = props
  const known = useTurns(scope, session)
  const turns = known ?? []
  const { query } = shownPlace.value
  const chosen = query.get('turn')
  const asOf = query.get('asOf')
  const found = turns.findIndex(({ id }) => id === chosen)
  const at = found < 0 ? turns.length : found
  const show = (turn: number): void =>
    goTo(addressOf('/session', { scope, id: session, turn: turns[turn]?.id }), { replace: true })
  return (
    <>
      {turns.length > 0 && <TurnSlider turns={turns} at={at} onTurn={show} />}
      {chosen !== null ? (
        <SentTurn scope={scope} session={session} id={chosen} before={turns[found - 1]?.id} />
      ) : asOf !== null ? (
        <RebuiltTurn scope={scope} session={session} asOf={asOf} />
      ) : (
        <NextRequest {...props} usual={known === undefined ? undefined : usualSettings(known.at(-1))} />
      )}
    </>
  )
}

interface NextRequestProps extends SessionTabProps {
  /** Those of the newest request that was sent; undefined until they are known. */
  readonly usual: RequestSettings | undefined
}

/** What was said, message by message, and what the next request would have of it. */
function NextRequest({ scope, session, stats, usual }: NextRequestProps): JSX.Element {
  const messages = useMessages(scope, session)
  const [tried, setTried] = useState<RequestSettings | undefined>()
  const [asked, setAsked] = useState(false)
  const { last } = messages
  const settings = tried ?? usual ?? DEFAULTS
  const builds = usual !== undefined && (asked || (last !== undefined && last > 0 && last <= BUILT_UP_TO))
  const listed = useReading<ListedCompactions>(
    last === undefined ? null : endpoints.session(scope, session, 'compactions'),
  )
  const built = useNextRequest(scope, session, settings, builds)
  const untried = useNextRequest(scope, session, usual ?? DEFAULTS, builds && tried !== undefined)
  const window = useWindowFolds(scope, session, listed)
  const folds = useMemo(() => (built.data === undefined ? window : foldsOf(built.data)), [built.data, window])
  if (messages.failure !== undefined)
    return (
      <div class="body">
        <Failed failure={messages.failure} />
      </div>
    )
  if (last === undefined || usual === undefined || folds === undefined || isFirst(builds, built))
    return (
      <div class="body">
        <Skeleton />
      </div>
    )
  if (last === 0)
    return (
      <div class="body">
        {messages.gone ? (
          <Empty title="This conversation was forgotten while you had it open.">
            <p>Its messages and what only they taught were destroyed. Nothing of them is left to show.</p>
          </Empty>
        ) : (
          <Empty title="Nothing was said in this session yet.">
            <p>It begins with its first message. The page shows it as soon as it is stored.</p>
          </Empty>
        )}
      </div>
    )
  const context = built.data
  return (
    <div class="conversation">
      <MessageList
        {...{ scope, session, messages, last, folds }}
        compactions={listed.data?.compactions ?? []}
        omission={context === undefined ? () => undefined : (seq) => omissionOf(context, seq)}
        after={
          context !== undefined && context.recalled.length > 0 ? (
            <RecalledEntry items={context.recalled} tokens={context.receipt.tokens.recalled} />
          ) : undefined
        }
      />
      {builds ? (
        <RequestAccount
          scope={scope}
          session={session}
          settings={settings}
          onSettings={setTried}
          {...(tried === undefined ? {} : { untried: untried.data, onReset: () => setTried(undefined) })}
          reading={built}
          at={built.at}
        />
      ) : (
        <SessionAccount stats={stats} folds={folds} onBuild={() => setAsked(true)} />
      )}
    </div>
  )
}

/** The folds of the window. It is read only when something was compacted: without, it is the whole session. */
function useWindowFolds(
  scope: string,
  session: string,
  { data, failure }: Reading<ListedCompactions>,
): readonly Fold[] | undefined {
  const compacted = data?.compactions.some(({ of, undone }) => of === 'session' && !undone) === true
  const path = compacted ? endpoints.session(scope, session, 'window') : null
  const window = useReading<{ readonly window: readonly (Message | Fold)[] }>(path)
  const folds = useMemo(() => window.data?.window.filter((entry): entry is Fold => 'standIn' in entry), [window.data])
  return failure !== undefined || (data !== undefined && !compacted) ? NO_FOLDS : folds
}
