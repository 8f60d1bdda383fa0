import { MemoryError } from '../domain/error.ts'
import type { Message } from '../domain/message.ts'
import type { Warning } from '../domain/warning.ts'
import type { Blob, LogFindings, MessageRow, StoredSession, ToolLink } from '../ports/log-store.ts'
import { type Body, readBody } from './body.ts'
import { digestMessage, link } from './chain.ts'
import type { Log } from './log.ts'
import { freshMessage, messageFromRow } from './message-from-row.ts'
import { type PreparedMessage, checkBlobs } from './prepare.ts'
import { isAhead, stamp } from './stamp.ts'
import { firstLinks, pairingWarnings, toolLinks } from './tool-links.ts'
import { withoutLengths } from './without-lengths.ts'

/** What is stored for a message: rows just made, or rows that were there. */
export type StoredRow = { readonly row: MessageRow; readonly body: Body } | LogFindings['answered'][number]

/** The message that is stored. */
export function storedMessage(stored: StoredRow): Message {
  return 'amendments' in stored ? messageFromRow(stored.row, stored.amendments) : freshMessage(stored.row, stored.body)
}

/** What messages add to a session. */
export interface Added {
  /** The session with them. */
  readonly session: StoredSession
  readonly rows: readonly MessageRow[]
  readonly links: readonly ToolLink[]
  readonly blobs: readonly Blob[]
  /** For each message given, in their order. */
  readonly stored: readonly StoredRow[]
  readonly warnings: readonly Warning[]
}

interface Adding {
  readonly attempt: string
  readonly session: StoredSession
  readonly messages: readonly PreparedMessage[]
  /** The message that a new session starts with. */
  readonly opening?: PreparedMessage | undefined
}

/** Puts messages at the end of a session. Those that are stored already under their ids stay where they are. */
export function addMessages(log: Log, adding: Adding, findings: LogFindings): Added {
  const { attempt, session, messages, opening } = adding
  const fresh = messages.filter((message) => !isStored(attempt, message, findings))
  checkBlobs(attempt, messages, findings)
  const rows = place(log, session, [...(opening === undefined ? [] : [opening]), ...fresh])
  const placed = new Map(rows.map((row) => [row.id, row]))
  const stored = messages.map((message): StoredRow => {
    const row = placed.get(message.id)
    return row === undefined ? (findings.messages.get(message.id) as StoredRow) : { row, body: message.draft }
  })
  const links = fresh.flatMap((message) => toolLinks(placed.get(message.id)?.seq ?? 0, message.parts))
  const last = rows.at(-1)
  return {
    session:
      last === undefined
        ? session
        : { ...session, lastSeq: last.seq, version: last.version, updatedAt: last.recordedAt, head: last.chain },
    rows,
    links,
    blobs: fresh.flatMap((message) => message.blobs),
    stored,
    warnings: [
      ...warningsOf(messages, stored, [...findings.links, ...links]),
      ...clockWarnings(rows[0], session.updatedAt),
    ],
  }
}

/** Gives each message the next place, time and link. */
function place(log: Log, session: StoredSession, messages: readonly PreparedMessage[]): readonly MessageRow[] {
  const recordedAt = stamp(log.clock.now(), session)
  let { lastSeq: seq, version, head } = session
  return messages.map((message) => {
    seq += 1
    version += 1
    const { id, role, body, tokens, at = recordedAt } = message
    const row = { seq, version, id, role, at, recordedAt, tokens, counter: log.counter, body, salt: log.random(16) }
    const digest = digestMessage(row)
    head = link(head, digest)
    return { ...row, digest, chain: head }
  })
}

/** Warnings for each message by the messages before it, so that a retry gets the same warnings as the first call. */
export function warningsOf(
  messages: readonly PreparedMessage[],
  stored: readonly StoredRow[],
  links: readonly ToolLink[],
): readonly Warning[] {
  const first = firstLinks(links)
  return messages.flatMap(({ parts }, index) => {
    const row = stored[index]?.row
    if (row === undefined || !parts.some((part) => part.type === 'tool-call' || part.type === 'tool-result')) return []
    return pairingWarnings({ id: row.id, seq: row.seq, parts }, first)
  })
}

function clockWarnings(first: MessageRow | undefined, lastAt: number): readonly Warning[] {
  if (first === undefined || !isAhead(first.recordedAt, lastAt)) return []
  const { id, seq, recordedAt } = first
  const [last, now] = [lastAt, recordedAt].map((at) => new Date(at).toISOString())
  const message = `Message ${seq}: the one before it was recorded at ${last}, which is ahead of the clock (${now}); one of the two is wrong`
  return [{ type: 'clock-ahead', id, seq, message }]
}

/** Whether this very message is stored already. The same id with other content is refused: neither may win silently. */
function isStored(attempt: string, message: PreparedMessage, findings: LogFindings): boolean {
  const found = message.idGiven ? findings.messages.get(message.id)?.row : undefined
  if (found === undefined) return false
  const same =
    found.role === message.role &&
    saysSame(message, found.body) &&
    (message.at === undefined || message.at === found.at)
  if (!same)
    throw new MemoryError(
      'log/id-conflict',
      `Cannot ${attempt}: message id ${JSON.stringify(message.id)} is stored at ${found.seq} with other content, expected the same content or another id`,
      { id: message.id, seq: found.seq },
    )
  return true
}

function saysSame({ body, draft, blobs }: PreparedMessage, stored: string): boolean {
  return body === stored || (blobs.length > 0 && withoutLengths(draft, readBody(stored)) === stored)
}
