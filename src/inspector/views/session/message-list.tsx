import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { ListedCompaction } from '../../../api/contexts.ts'
import type { Message } from '../../../domain/message.ts'
import { endpoints } from '../../data/endpoints.ts'
import { shownPlace } from '../../data/place.ts'
import { request, sendWrite } from '../../data/request.ts'
import type { Messages } from '../../data/use-messages.ts'
import { Icon } from '../../parts/icon.tsx'
import { useRows } from '../../parts/use-rows.ts'
import { FoldCard } from '../message/fold-card.tsx'
import { MarginEntry } from '../message/margin-entry.tsx'
import { MessageEntry } from '../message/message-entry.tsx'
import { type Row, type RowFold, rowModel } from './row-model.ts'

const ROW_HEIGHT = 96

interface MessageListProps {
  readonly scope: string
  readonly session: string
  readonly messages: Messages
  readonly last: number
  readonly folds: readonly RowFold[]
  readonly compactions: readonly ListedCompaction[]
  /** Why a message is not in the request that is shown; undefined if it is. */
  readonly omission: (seq: number) => string | undefined
  /** What follows the last message. */
  readonly after: ComponentChildren
}

/** The messages of a session; only those in view are drawn. */
export function MessageList(props: MessageListProps): JSX.Element {
  const { scope, session, messages, last, folds, after } = props
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const model = useMemo(() => rowModel(last, folds, opened), [last, folds, opened])
  const list = useRef<HTMLDivElement>(null)
  const rows = useRows(list, {
    count: model.count,
    estimate: ROW_HEIGHT,
    keyOf: model.keyOf,
    indexOf: model.indexOfKey,
  })
  const target = useTarget(scope, session)
  useEffect(() => {
    const hiding = folds.find(({ sources }) =>
      sources.some(({ from, through }) => from <= Number(target) && Number(target) <= through),
    )
    if (hiding !== undefined) setOpened(new Set([...opened, hiding.id]))
  }, [target])
  // Also when its fold was opened, which moves it.
  useEffect(() => {
    if (target !== undefined) rows.show(model.indexOf(target))
  }, [target, opened])
  const shown = rows.shown.map(({ index, key }) => ({ index, key, row: model.rowAt(index) }))
  const seqs = shown.flatMap(({ row }) => (row.type === 'message' ? [row.seq] : []))
  useEffect(() => {
    if (seqs[0] !== undefined) messages.need(seqs[0], seqs.at(-1) ?? seqs[0])
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
            {shown.map(({ index, key, row }) => (
              <div key={key} data-index={index} ref={rows.measure}>
                <RowEntry
                  {...props}
                  row={row}
                  before={index === 0 ? undefined : model.rowAt(index - 1)}
                  opened={opened}
                  toggle={toggle}
                  target={target}
                />
              </div>
            ))}
          </div>
        </div>
        {after}
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

/** New messages never move what is read: they wait below. */
function NewBelow({ last, show }: { readonly last: number; readonly show: () => void }): JSX.Element | null {
  const [seen, setSeen] = useState(last)
  const fresh = last - seen
  useEffect(() => {
    if (fresh <= 0) return undefined
    const look = (): void => {
      if (window.innerHeight + window.scrollY >= document.documentElement.scrollHeight - 200) setSeen(last)
    }
    look()
    addEventListener('scroll', look, { passive: true })
    return () => removeEventListener('scroll', look)
  }, [last, fresh])
  if (fresh <= 0) return null
  return (
    <button type="button" class="new-below" onClick={show}>
      <Icon name="down" size={12} />
      {fresh} new below
    </button>
  )
}

interface RowEntryProps extends MessageListProps {
  readonly row: Row
  readonly before: Row | undefined
  readonly opened: ReadonlySet<string>
  readonly toggle: (fold: string) => void
  readonly target: number | undefined
}

function RowEntry(props: RowEntryProps): JSX.Element {
  const { row, before, scope, session, messages, opened, toggle, target, compactions, omission } = props
  if (row.type === 'fold') {
    const { id } = row.fold
    const made = compactions.find(({ folds, undone }) => !undone && folds.includes(id))?.compaction
    const undo = (): Promise<unknown> =>
      sendWrite(endpoints.session(scope, session, 'undo'), { body: { compaction: made } })
    return (
      <FoldCard
        fold={row.fold}
        open={opened.has(id)}
        onToggle={() => toggle(id)}
        onUndo={made === undefined ? undefined : undo}
      />
    )
  }
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
  return (
    <MessageEntry
      message={message}
      folded={row.fold !== undefined}
      first={before?.type !== 'message' || before.fold?.id !== row.fold?.id}
      omission={omission(row.seq)}
      wanted={row.seq === target}
      scope={scope}
      session={session}
    />
  )
}
