import type { JSX } from 'preact'
import { useMemo, useRef } from 'preact/hooks'
import type { ContextRecord } from '../../../api/kept-contexts.ts'
import { endpoints } from '../../data/endpoints.ts'
import { useReading } from '../../data/use-reading.ts'
import { Failed, Skeleton } from '../../parts/notices.tsx'
import { RecalledEntry } from '../session/recalled-entry.tsx'
import { requestDifference } from './request-difference.ts'
import { SentAccount } from './sent-account.tsx'
import { SentRequest } from './sent-request.tsx'

interface SentTurnProps {
  readonly scope: string
  readonly session: string
  /** The record to show, and the one before it. */
  readonly id: string
  readonly before: string | undefined
}

/** One request as it was sent, beside its account. */
export function SentTurn({ scope, session, id, before }: SentTurnProps): JSX.Element {
  const path = (record: string): string => endpoints.session(scope, session, `contexts/${encodeURIComponent(record)}`)
  const reading = useReading<ContextRecord>(path(id))
  const previous = useReading<ContextRecord>(before === undefined ? null : path(before))
  // What was shown stays until the next request is there: the page does not jump while the slider moves.
  const shown = useRef<ContextRecord | undefined>(undefined)
  shown.current = reading.data ?? shown.current
  const record = shown.current
  const difference = useMemo(
    () =>
      record === undefined || record.id !== id || (before !== undefined && previous.data === undefined)
        ? undefined
        : requestDifference(record.messages, previous.data?.messages ?? []),
    [record, previous.data, id, before],
  )
  if (reading.failure !== undefined)
    return (
      <div class="body">
        <Failed failure={reading.failure} />
      </div>
    )
  if (record === undefined)
    return (
      <div class="body">
        <Skeleton />
      </div>
    )
  return (
    <div class="conversation" data-turn={record.id}>
      <div>
        <SentRequest scope={scope} record={record} difference={difference} />
        {record.recalled.length > 0 && (
          <div class="sheet ruled">
            <RecalledEntry items={record.recalled} tokens={record.receipt.tokens.recalled} />
          </div>
        )}
      </div>
      <SentAccount request={record} record={record} />
    </div>
  )
}
