import type { LogChange, SessionHead } from '../../ports/log-store.ts'
import { headAfter } from '../sql/head-after.ts'
import type { HeadCache } from '../sql/head-cache.ts'
import { logWrites } from '../sql/log-statements.ts'
import { messageValues } from '../sql/log-values.ts'
import { NO_ANSWERS, type Write, asksMore } from '../sql/session-findings.ts'
import type { Connection } from './connection.ts'
import { sqlite } from './dialect.ts'

const ADVANCE = `UPDATE sessions SET updated_at = ?, last_seq = ?, version = ?, head = ?
  WHERE key = ? AND version = ? AND head = ? AND description = ?`
const { insertMessage } = logWrites(sqlite)

/**
 * Appends to a session that this process wrote to last, if the change asks for nothing and writes messages only. Otherwise, and
 * if the session is not as it is known, nothing is written: then the program of `sql/log-writer.ts` decides, and it alone refuses.
 *
 * It does what that program does, which is measurably slower here: 64 callers on a memory disk took 36 µs of CPU an append this
 * way and 56 µs through the program.
 */
export function appendKnown<Answer>(
  connection: Connection,
  heads: HeadCache,
  change: LogChange<Answer>,
): { readonly answer: Answer } | undefined {
  const head = asksMore(change.questions) ? undefined : heads.of(change)
  if (head === undefined) return undefined
  const decision = attempt(() => change.decide({ ...NO_ANSWERS, session: head }))
  const write = decision?.write
  if (decision === undefined || write === undefined || !isMessagesOnly(write)) return undefined
  if (!advance(connection, head, write)) {
    heads.wasOtherwise(head)
    return undefined
  }
  const insert = connection.statement(insertMessage)
  for (const row of write.messages) insert.run(head.key, ...messageValues(row))
  heads.keep(headAfter(head, write))
  return decision
}

function isMessagesOnly({ amendments, links, blobs, operation }: Write): boolean {
  return amendments.length === 0 && links.length === 0 && blobs.length === 0 && operation === undefined
}

function advance(
  connection: Connection,
  { key, version, head, description }: SessionHead,
  { session }: Write,
): boolean {
  const { updatedAt, lastSeq, version: to, head: link } = session
  const known = [key, version, head, JSON.stringify(description)]
  return connection.statement(ADVANCE).run(updatedAt, lastSeq, to, link, ...known).changes === 1
}

/** Undefined where it fails: the program decides again, and its refusal is the one that counts. */
function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
