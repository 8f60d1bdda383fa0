import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { ListedCompaction } from '../../../api/contexts.ts'
import type { Fold } from '../../../domain/fold.ts'
import type { Message } from '../../../domain/message.ts'
import { endpoints } from '../../data/endpoints.ts'
import { shownPlace } from '../../data/place.ts'
import { request } from '../../data/request.ts'
import { type Messages, useMessages } from '../../data/use-messages.ts'
import { useReading } from '../../data/use-reading.ts'
import { Icon } from '../../parts/icon.tsx'
import { Empty, Failed, Skeleton } from '../../parts/notices.tsx'
import { written } from '../../parts/numbers.ts'
import { PlainText } from '../../parts/plain-text.tsx'
import { useRows } from '../../parts/use-rows.ts'
import { MarginEntry, type Lane } from '../message/margin-entry.tsx'
import { FoldCard } from '../message/fold-card.tsx'
import { MessageParts } from '../message/message-parts.tsx'
import type { SessionTabProps } from '../session-view.tsx'
import { SessionAccount } from './session-account.tsx'
import { type Row, rowModel } from './row-model.ts'

const ROW_HEIGHT = 96

/** What was said, message by message, and what became of each. */
export function ConversationTab({ scope, session, stats }: SessionTabProps): JSX.Element {
  const messages = useMessages(scope, session)
  const folds = useFolds(scope, session, messages.last)
  if (messages.failure !== undefined)
    return (
      <div class="body">
        <Failed failure={messages.failure} />
      </div>
    )
  if (messages.last === undefined || folds === undefined)
    return (
      <div class="body">
        <Skeleton />
      </div>
    )
  if (messages.last === 0)
    return (
      <div class="body">
        <Empty title="Nothing was said in this session yet.">
          <p>It begins with its first message. The page shows it as soon as it is stored.</p>
        </Empty>
      </div>
    )
  return (
    <div class="conversation">
      <MessageList scope={scope} session={session} messages={messages} last={messages.last} folds={folds} />
      <SessionAccount stats={stats} folds={folds} />
    </div>
  )
}

/** The folds of the window. It is read only when something was compacted: without, it is the whole session. */
function useFolds(scope: string, session: string, last: number | undefined): readonly Fold[] | undefined {
  const path = (rest: string): string => endpoints.session(scope, session, rest)
  const listed = useReading<{ readonly compactions: readonly ListedCompaction[] }>(
    last === undefined ? null : path('compactions'),
  )
  const compacted = listed.data?.compactions.some(({ of, undone }) => of === 'session' && !undone) === true
  const window = useReading<{ readonly window: readonly (Message | Fold)[] }>(compacted ? path('window') : null)
  if (listed.failure !== undefined || (listed.data !== undefined && !compacted)) return []
  return window.data?.window.filter((entry): entry is Fold => 'standIn' in entry)
}

interface MessageListProps {
  readonly scope: string
  readonly session: string
  readonly messages: Messages
  readonly last: number
  readonly folds: readonly Fold[]
}

function MessageList({ scope, session, messages, last, folds }: MessageListProps): JSX.Element {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const model = rowModel(last, folds, opened)
  const list = useRef<HTMLDivElement>(null)
  const rows = useRows(list, { count: model.count, estimate: ROW_HEIGHT, keyOf: (index) => model.keyOf(index) })
  const target = useTarget(scope, session)
  useEffect(() => {
    const hiding = target === undefined ? undefined : foldOf(folds, target)
    if (hiding !== undefined) setOpened(new Set([...opened, hiding.id]))
  }, [target])
  // Also when its fold was opened, which moves it.
  useEffect(() => {
    if (target !== undefined) rows.show(model.indexOf(target))
  }, [target, opened])
  const seqs = rows.shown
    .map(({ index }) => model.rowAt(index))
    .flatMap((row) => (row.type === 'message' ? [row.seq] : []))
  const from = seqs[0]
  const through = seqs.at(-1)
  useEffect(() => {
    if (from !== undefined && through !== undefined) messages.need(from, through)
  })
  const toggle = (id: string): void => {
    const next = new Set(opened)
    if (!next.delete(id)) next.add(id)
    setOpened(next)
  }
  return (
    <div>
      <div class="sheet ruled" ref={list}>
        <div class="rows" style={{ height: `${rows.height}px` }}>
          <div style={{ transform: `translateY(${rows.start}px)` }}>
            {rows.shown.map(({ index, key }) => (
              <div key={key} data-index={index} ref={rows.measure}>
                <RowEntry
                  row={model.rowAt(index)}
                  before={index === 0 ? undefined : model.rowAt(index - 1)}
                  {...{ scope, session, messages, opened, toggle, target }}
                />
              </div>
            ))}
          </div>
        </div>
      </div>
      <NewBelow last={last} show={() => rows.show(model.count - 1)} />
    </div>
  )
}

/** The message that the address names, by its number or its id. */
function useTarget(scope: string, session: string): number | undefined {
  const { query } = shownPlace.value
  const seq = query.get('seq')
  const id = query.get('message')
  const [found, setFound] = useState<number | undefined>()
  useEffect(() => {
    setFound(seq === null ? undefined : Number(seq))
    if (seq !== null || id === null) return
    request<Message>(endpoints.session(scope, session, `messages/${encodeURIComponent(id)}`))
      .then((message) => setFound(message.seq))
      .catch(() => undefined)
  }, [seq, id])
  return found
}

function foldOf(folds: readonly Fold[], seq: number): Fold | undefined {
  return folds.find(({ sources }) => sources.some(({ from, through }) => from <= seq && seq <= through))
}

/** New messages never move what is read: they wait below. */
function NewBelow({ last, show }: { readonly last: number; readonly show: () => void }): JSX.Element | null {
  const [seen, setSeen] = useState(last)
  const fresh = last - seen
  useEffect(() => {
    const look = (): void => {
      if (window.innerHeight + window.scrollY >= document.documentElement.scrollHeight - 200) setSeen(last)
    }
    look()
    addEventListener('scroll', look, { passive: true })
    return () => removeEventListener('scroll', look)
  }, [last])
  if (fresh <= 0) return null
  return (
    <button type="button" class="new-below" onClick={show}>
      <Icon name="down" size={12} />
      {fresh} new below
    </button>
  )
}

interface RowEntryProps {
  readonly row: Row
  readonly before: Row | undefined
  readonly scope: string
  readonly session: string
  readonly messages: Messages
  readonly opened: ReadonlySet<string>
  readonly toggle: (fold: string) => void
  /** The message that the address names. */
  readonly target: number | undefined
}

function RowEntry(props: RowEntryProps): JSX.Element {
  const { row, before, scope, session, messages, opened, toggle, target } = props
  if (row.type === 'fold')
    return <FoldCard fold={row.fold} open={opened.has(row.fold.id)} onToggle={() => toggle(row.fold.id)} />
  const message = messages.at(row.seq)
  if (message === undefined)
    return (
      <MarginEntry number={row.seq} lane="none" label={`${row.seq}, loading`}>
        <div class="bone is-2" />
      </MarginEntry>
    )
  if (message === null)
    return (
      <MarginEntry number={row.seq} lane="out" note="forgotten" label={`${row.seq}, forgotten`}>
        <p class="dim">This message was forgotten. Its place in the log is all that is left.</p>
      </MarginEntry>
    )
  return <MessageEntry message={message} row={row} before={before} scope={scope} session={session} target={target} />
}

interface MessageEntryProps extends Pick<RowEntryProps, 'before' | 'scope' | 'session' | 'target'> {
  readonly message: Message
  readonly row: Extract<Row, { readonly type: 'message' }>
}

function MessageEntry({ message, row, before, scope, session, target }: MessageEntryProps): JSX.Element {
  const { seq, role, name, at, tokens, removed, imported, revision } = message
  const lane: Lane = row.fold !== undefined || removed === true ? 'out' : 'sent'
  const state = removed === true ? 'removed' : row.fold === undefined ? 'in the window' : 'folded'
  const first = before?.type !== 'message' || before.fold?.id !== row.fold?.id
  const note =
    removed === true ? 'removed' : first ? (row.fold === undefined ? 'in the window' : 'not sent') : undefined
  const speaker = name ?? role
  return (
    <MarginEntry
      number={seq}
      tokens={tokens}
      lane={lane}
      note={note}
      label={`${seq}, ${speaker}, ${role}, ${state}`}
      joined={role === 'tool'}
      wanted={seq === target}
    >
      <div class="who">
        <b>
          <PlainText text={speaker} />
        </b>
        {name !== undefined && <span>{role}</span>}
        {imported === true && <span>imported</span>}
        {revision > 0 && <span>revision {revision}</span>}
        <time class="grow" datetime={at} title={written.moment(at)}>
          {written.time(at)}
        </time>
      </div>
      <MessageParts scope={scope} session={session} draft={message} />
    </MarginEntry>
  )
}
