import type { AmendmentRow, SessionHead } from '../ports/log-store.ts'
import { digestAmendment, link } from './chain.ts'
import type { Forgetting } from './forgotten.ts'
import type { Log } from './log.ts'
import { stamp } from './stamp.ts'

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
  let { version, updatedAt, head: last } = head
  for (const seq of forgotten.seqs) {
    const rewritten = rows.length === 0 ? forgotten.rewritten : {}
    version += 1
    updatedAt = stamp(forgotten.at, { updatedAt })
    const row = {
      version,
      kind: 'forget' as const,
      seq,
      recordedAt: updatedAt,
      tokens: 0,
      counter: '',
      body: JSON.stringify({ reason: forgotten.reason, rewritten } satisfies Forgetting),
      salt: log.random(16),
    }
    const digest = digestAmendment(row)
    last = link(last, digest)
    rows.push({ ...row, digest, chain: last })
  }
  return { rows, session: { ...head, version, updatedAt, head: last } }
}
