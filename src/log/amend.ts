import type { AmendmentRow, Decision, StoredSession } from '../ports/log-store.ts'
import { digestAmendment, link } from './chain.ts'
import type { Log } from './log.ts'
import { stamp } from './stamp.ts'

/** What an amendment adds to the log, chained like a message. */
export function amend<Answer>(
  log: Log,
  session: StoredSession,
  change: Pick<AmendmentRow, 'kind' | 'seq'> & { readonly body?: string; readonly tokens?: number },
  answer: (row: AmendmentRow) => Answer,
): Required<Decision<Answer>> {
  const { kind, seq, body = '', tokens = 0 } = change
  const row = {
    version: session.version + 1,
    kind,
    seq,
    recordedAt: stamp(log.clock.now(), session),
    tokens,
    counter: log.counter,
    body,
    salt: log.random(16),
  }
  const digest = digestAmendment(row)
  const amendment = { ...row, digest, chain: link(session.head, digest) }
  return {
    answer: answer(amendment),
    write: {
      session: { ...session, version: amendment.version, updatedAt: amendment.recordedAt, head: amendment.chain },
      messages: [],
      amendments: [amendment],
      links: [],
      blobs: [],
    },
  }
}
