import type { JSX } from 'preact'
import { useCallback, useRef } from 'preact/hooks'
import type { ContextRecord } from '../../../api/kept-contexts.ts'
import type { Draft, Message } from '../../../domain/message.ts'
import { written } from '../../parts/numbers.ts'
import { PlainText } from '../../parts/plain-text.tsx'
import { useRows } from '../../parts/use-rows.ts'
import { type Lane, MarginEntry } from '../message/margin-entry.tsx'
import { MessageParts } from '../message/message-parts.tsx'
import type { RequestDifference } from './request-difference.ts'

const ROW_HEIGHT = 96

interface SentRequestProps {
  readonly scope: string
  readonly record: Pick<ContextRecord, 'id' | 'messages' | 'cache' | 'receipt' | 'firstDifference'>
  /** Against the request before; undefined while that is read, or if there is none. */
  readonly difference: RequestDifference | undefined
}

/** The messages of a request in the order in which they were sent. */
export function SentRequest({ scope, record, difference }: SentRequestProps): JSX.Element {
  const { messages, cache } = record
  const list = useRef<HTMLDivElement>(null)
  const keyOf = useCallback((index: number) => `${record.id} ${index}`, [record.id])
  const rows = useRows(list, {
    count: messages.length,
    estimate: ROW_HEIGHT,
    keyOf,
    indexOf: (key) => Number(String(key).slice(record.id.length)),
  })
  const cached = cache.firstDifference ?? messages.length
  return (
    <div>
      {difference !== undefined && <DifferenceBar difference={difference} />}
      <div class="sheet ruled" ref={list}>
        <div class="rows" style={{ height: `${rows.height}px` }}>
          <div style={{ transform: `translateY(${rows.start}px)` }}>
            {rows.shown.map(({ index, key }) => (
              <div key={key} data-index={index} ref={rows.measure}>
                {index === cached && index > 0 && (
                  <div class="cut">
                    <span>
                      cache ends here · {written.number(cache.equalTokens)} of {written.number(cache.totalTokens)}{' '}
                      tokens
                    </span>
                  </div>
                )}
                <SentMessage
                  scope={scope}
                  draft={messages[index]}
                  at={index}
                  cached={index < cached}
                  added={difference?.added.has(index) === true}
                  differs={record.firstDifference === index}
                  first={index === 0}
                  origin={originOf(record, messages[index])}
                />
              </div>
            ))}
          </div>
        </div>
      </div>
    </div>
  )
}

function DifferenceBar({
  difference: { added, removed, same },
}: {
  readonly difference: RequestDifference
}): JSX.Element {
  return (
    <p class="difference" role="status">
      Against the request before: <b>+ {written.count(added.size, 'message')}</b> ·{' '}
      <b>− {written.count(removed, 'message')}</b> · <b>= {written.count(same, 'message')}</b>
    </p>
  )
}

interface SentMessageProps {
  readonly scope: string
  readonly draft: Draft | undefined
  readonly at: number
  readonly cached: boolean
  readonly added: boolean
  readonly differs: boolean
  /** The margin says once that a run is cached. */
  readonly first: boolean
  /** Where it comes from, if it is not in the log. */
  readonly origin: string
}

function originOf({ receipt }: Pick<ContextRecord, 'receipt'>, draft: Draft | undefined): string {
  if (draft?.role === 'system') return 'system text or block'
  const text = JSON.stringify(draft?.parts ?? [])
  const fold = receipt.lines.find((line) => line.type === 'folded' && text.includes(line.fold))
  if (fold?.type !== 'folded') return 'made for this request'
  const count = fold.sources.reduce((sum, { from, through }) => sum + through - from + 1, 0)
  return `represents ${written.count(count, 'message')}`
}

function SentMessage(props: SentMessageProps): JSX.Element | null {
  const { scope, draft, at, cached, added, differs, first, origin } = props
  if (draft === undefined) return null
  const { seq, tokens } = draft as Partial<Message>
  const lane: Lane = seq !== undefined ? 'sent' : draft.role === 'system' ? 'none' : 'fold'
  const said = differs ? 'not what was sent' : added ? '+ new' : cached ? 'cached' : undefined
  const speaker = draft.name ?? draft.role
  return (
    <MarginEntry
      number={seq ?? ''}
      {...(tokens === undefined ? {} : { tokens })}
      lane={lane}
      cached={cached}
      added={added}
      note={said === 'cached' && !first ? undefined : said}
      label={[seq ?? `message ${at + 1} of the request`, speaker, draft.role, said].filter(Boolean).join(', ')}
      joined={draft.role === 'tool'}
    >
      <div class="who">
        <b>
          <PlainText text={speaker} />
        </b>
        {draft.name !== undefined && <span>{draft.role}</span>}
        {seq === undefined && <span>{origin}</span>}
      </div>
      <MessageParts scope={scope} draft={draft} />
    </MarginEntry>
  )
}
