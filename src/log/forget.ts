import type { AmendmentRow, SessionHead } from '../ports/log-store.ts'
import { digestAmendment, link } from './chain.ts'
import type { Forgetting } from './forgotten.ts'
import type { Log } from './log.ts'

/**
 * What a session's log says of messages that were forgotten: a row each, chained like any other, with when and why. The first
 * names the amendments that were written again with it.
 */
export function forgetRows(
  log: Pick<Log, 'random'>,
  head: SessionHead,
  forgotten: { readonly seqs: readonly number[]; readonly at: number } & Forgetting,
): { readonly rows: readonly AmendmentRow[]; readonly session: SessionHead } {
  const rows: AmendmentRow[] = []
  let session = head
  for (const seq of forgotten.seqs) {
    const rewritten = rows.length === 0 ? forgotten.rewritten : {}
    const row = {
      version: session.version + 1,
      kind: 'forget' as const,
      seq,
      recordedAt: Math.max(forgotten.at, session.updatedAt),
      tokens: 0,
      counter: '',
      body: JSON.stringify({ reason: forgotten.reason, rewritten } satisfies Forgetting),
      salt: log.random(16),
    }
    const digest = digestAmendment(row)
    const amendment = { ...row, digest, chain: link(session.head, digest) }
    rows.push(amendment)
    session = { ...session, version: amendment.version, updatedAt: amendment.recordedAt, head: amendment.chain }
  }
  return { rows, session }
}
