import type { JSX } from 'preact'
import { endpoints } from '../../data/endpoints.ts'
import { useReading } from '../../data/use-reading.ts'
import { Failed, Skeleton } from '../../parts/notices.tsx'
import type { BuiltContext } from '../session/shown-request.ts'
import { SentAccount } from './sent-account.tsx'
import { SentRequest } from './sent-request.tsx'

interface RebuiltTurnProps {
  readonly scope: string
  readonly session: string
  /** ISO 8601. */
  readonly asOf: string
}

/** The request of a moment that has no record, built again from the log. */
export function RebuiltTurn({ scope, session, asOf }: RebuiltTurnProps): JSX.Element {
  const body = { budget: 8_000, compact: false, asOf }
  const { data, failure } = useReading<BuiltContext>(endpoints.session(scope, session, 'context'), { body })
  if (data === undefined)
    return <div class="body">{failure === undefined ? <Skeleton /> : <Failed failure={failure} />}</div>
  // Nothing is cached of a request that was not sent.
  const record = { ...data, id: asOf, firstDifference: null, cache: { ...data.cache, firstDifference: 0 } }
  return (
    <div class="conversation">
      <SentRequest scope={scope} record={record} difference={undefined} />
      <SentAccount request={data} record={undefined} />
    </div>
  )
}
