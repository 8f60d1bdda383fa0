import { digestMessage, link, sameBytes } from '../log/chain.ts'
import { isForgotten, isSound } from '../log/forgotten.ts'
import type { AmendmentRow, MessageRow, StoredSession } from '../ports/log-store.ts'

/** A row of a session's log: its messages and amendments, ordered by version. */
export type LogEntry =
  | { readonly kind: 'message'; readonly row: MessageRow }
  | { readonly kind: 'amendment'; readonly row: AmendmentRow }

/** Where a log stands after a row: every such place is a session that could have been. */
export interface LogEnd {
  readonly seq: number
  readonly version: number
  readonly link: Uint8Array
  readonly recordedAt: number
}

export function beginningOf(session: Pick<StoredSession, 'parent' | 'genesis' | 'createdAt'>): LogEnd {
  const { parent, genesis, createdAt } = session
  return {
    seq: parent?.throughSeq ?? 0,
    version: parent?.throughVersion ?? 0,
    link: genesis,
    recordedAt: createdAt,
  }
}

/** The end of the log with one more row, or why this row cannot be the next. */
export function stepOf(end: LogEnd, { kind, row }: LogEntry): LogEnd | string {
  if (row.version !== end.version + 1) return `version ${row.version} follows ${end.version}`
  if (kind === 'message' && row.seq !== end.seq + 1) return `message ${row.seq} follows ${end.seq}`
  if (!(kind === 'message' ? isForgotten(row) || sameBytes(digestMessage(row), row.digest) : isSound(row)))
    return `${kind === 'message' ? `message ${row.seq}` : `the ${row.kind} of message ${row.seq}`} is not what was written`
  if (!sameBytes(link(end.link, row.digest), row.chain)) return `the row does not continue the chain of its session`
  return {
    seq: kind === 'message' ? row.seq : end.seq,
    version: row.version,
    link: row.chain,
    recordedAt: row.recordedAt,
  }
}
