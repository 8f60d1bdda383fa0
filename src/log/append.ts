import type { AppendOptions, Appended } from '../api/messages.ts'
import { MemoryError } from '../domain/error.ts'
import type { Message } from '../domain/message.ts'
import type { NewMessage } from '../domain/new-message.ts'
import type { Warning } from '../domain/warning.ts'
import type { Decision, LogFindings, MessageRow, StoredSession } from '../ports/log-store.ts'
import type { Body } from './body.ts'
import { digestMessage, link, sameBytes, sha256 } from './chain.ts'
import { forgottenName } from './forgotten.ts'
import type { Address, Log } from './log.ts'
import { freshMessage, messageFromRow } from './message-from-row.ts'
import { startSession } from './start-session.ts'
import { type PreparedMessage, checkBlobs, namedBlobs, prepare } from './prepare.ts'
import { isAhead, stamp } from './stamp.ts'
import { pairingWarnings, toolLinks } from './tool-links.ts'

/** A bound, not a tuning knob: past it, one append could hold the write lock for seconds. */
const MESSAGES_PER_APPEND_MAX = 1_000

/** What is stored for a message: rows just made, or rows that were there. */
type Stored = { readonly row: MessageRow; readonly body: Body } | LogFindings['answered'][number]

interface Answer {
  readonly stored: readonly Stored[]
  readonly warnings: readonly Warning[]
}

/**
 * Appends messages to a session: in order, all or none, durable when it resolves.
 *
 * @throws {MemoryError} `log/conflict` if `after` is no longer the last position; `log/id-conflict` if an id is stored with other content.
 */
export async function append(
  log: Log,
  address: Address,
  inputs: readonly NewMessage[],
  options: AppendOptions & {
    readonly description?: Promise<PreparedMessage | undefined>
    readonly imported?: true
  } = {},
): Promise<Appended> {
  const { after, operationId, strict, description, imported } = options
  if (inputs.length > MESSAGES_PER_APPEND_MAX) {
    throw new MemoryError(
      'input/too-large',
      `Cannot append ${inputs.length} messages: expected at most ${MESSAGES_PER_APPEND_MAX} per call`,
      { option: 'messages', received: inputs.length, max: MESSAGES_PER_APPEND_MAX },
    )
  }
  const preparing = prepare(log, 'append', inputs, imported)
  const messages = await log.order.after(
    address,
    description === undefined ? preparing : Promise.all([preparing, description]).then(([prepared]) => prepared),
  )
  const opening = description === undefined ? undefined : await description
  if (messages.length === 0) return withWarnings([], [])
  checkDistinctIds(messages)
  const request = operationId === undefined ? undefined : { id: operationId, digest: digestRequest(messages) }
  const given = messages.filter((message) => message.idGiven)
  const names = given.length === 0 && operationId === undefined ? NO_NAMES : namesOf(address, given, operationId)
  const calls = messages.flatMap((message) => toolLinks(0, message.parts))
  const answer = await log.store.change<Answer>({
    ...address,
    questions: {
      ids: given.map((message) => message.id),
      forgotten: [...names.keys()],
      callIds: calls.length === 0 ? [] : [...new Set(calls.map((found) => found.callId))],
      blobs: namedBlobs(messages),
      ...(request === undefined ? {} : { operationId: request.id }),
    },
    decide: (facts) => {
      for (const name of facts.forgotten) throw comesBack(names.get(name) ?? '')
      return decide(log, address, { messages, after, strict, opening, request }, facts)
    },
  })
  return withWarnings(
    answer.stored.map((stored) =>
      'amendments' in stored ? messageFromRow(stored.row, stored.amendments) : freshMessage(stored.row, stored.body),
    ),
    answer.warnings,
  )
}

const NO_NAMES: ReadonlyMap<string, string> = new Map()

/** What stays of the ids that a caller gave, should they have been forgotten. */
function namesOf(
  address: Address,
  given: readonly PreparedMessage[],
  operationId: string | undefined,
): ReadonlyMap<string, string> {
  return new Map([
    ...given.map(({ id }) => [forgottenName({ ...address, kind: 'message', id }), id] as const),
    ...(operationId === undefined
      ? []
      : [[forgottenName({ ...address, kind: 'operation', id: operationId }), operationId] as const]),
  ])
}

interface Terms {
  readonly messages: readonly PreparedMessage[]
  readonly after: number | undefined
  readonly strict: boolean | undefined
  readonly opening: PreparedMessage | undefined
  readonly request: { readonly id: string; readonly digest: Uint8Array } | undefined
}

function decide(log: Log, address: Address, terms: Terms, facts: LogFindings): Decision<Answer> {
  const { messages, request } = terms
  if (request !== undefined && facts.operation !== undefined) {
    if (!sameBytes(facts.operation.request, request.digest)) throw conflictingOperation(request.id)
    return { answer: { stored: facts.answered, warnings: warningsOf(messages, facts.answered, facts.links) } }
  }
  const fresh = messages.filter((message) => !isStored(message, facts))
  const session = facts.session ?? startSession(log, address, terms.opening)
  checkEnd(terms.after, fresh, session)
  checkBlobs('append', messages, facts)
  const opening = facts.session === undefined && terms.opening !== undefined ? [terms.opening] : []
  const rows = place(log, session, [...opening, ...fresh])
  const placed = new Map(rows.map((row) => [row.id, row]))
  const stored = messages.map((message): Stored => {
    const row = placed.get(message.id)
    return row === undefined ? (facts.messages.get(message.id) as Stored) : { row, body: message.draft }
  })
  const links = fresh.flatMap((message) => toolLinks(placed.get(message.id)?.seq ?? 0, message.parts))
  const warnings = [
    ...warningsOf(messages, stored, [...facts.links, ...links]),
    ...clockWarnings(rows[0], session.updatedAt),
  ]
  if (terms.strict === true) refuseUnpaired(warnings)
  const last = rows.at(-1)
  if (last === undefined && request === undefined) return { answer: { stored, warnings } }
  return {
    answer: { stored, warnings },
    write: {
      session:
        last === undefined
          ? session
          : { ...session, lastSeq: last.seq, version: last.version, updatedAt: last.recordedAt, head: last.chain },
      messages: rows,
      amendments: [],
      links,
      blobs: fresh.flatMap((message) => message.blobs),
      ...(request === undefined
        ? {}
        : { operation: { id: request.id, request: request.digest, seqs: stored.map(({ row }) => row.seq) } }),
    },
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

/** For each message by what stood before it, so that a retry is told the same as the call it repeats. */
function warningsOf(
  messages: readonly PreparedMessage[],
  stored: readonly Stored[],
  links: LogFindings['links'],
): readonly Warning[] {
  return messages.flatMap(({ parts }, index) => {
    const row = stored[index]?.row
    if (row === undefined || !parts.some((part) => part.type === 'tool-call' || part.type === 'tool-result')) return []
    return pairingWarnings(
      { id: row.id, seq: row.seq, parts },
      links.filter(({ seq }) => seq < row.seq),
    )
  })
}

function clockWarnings(first: MessageRow | undefined, lastAt: number): readonly Warning[] {
  if (first === undefined || !isAhead(first.recordedAt, lastAt)) return []
  const { id, seq, recordedAt } = first
  const [last, now] = [lastAt, recordedAt].map((at) => new Date(at).toISOString())
  const message = `Message ${seq}: the one before it was recorded at ${last}, which is ahead of the clock (${now}); one of the two is wrong`
  return [{ type: 'clock-ahead', id, seq, message }]
}

/** Whether this very message is stored already. The same id with other content is somebody's mistake, never a silent choice. */
function isStored(message: PreparedMessage, facts: LogFindings): boolean {
  const found = message.idGiven ? facts.messages.get(message.id)?.row : undefined
  if (found === undefined) return false
  const same =
    found.role === message.role && found.body === message.body && (message.at === undefined || message.at === found.at)
  if (!same)
    throw new MemoryError(
      'log/id-conflict',
      `Cannot append: message id ${JSON.stringify(message.id)} is stored at ${found.seq} with other content, expected the same content or another id`,
      { id: message.id, seq: found.seq },
    )
  return true
}

function checkDistinctIds(messages: readonly PreparedMessage[]): void {
  if (messages.length === 1) return
  const ids = new Set<string>()
  for (const { id } of messages) {
    if (ids.has(id))
      throw new MemoryError(
        'input/invalid',
        `Cannot append: message id ${JSON.stringify(id)} is given twice in one call, expected distinct ids`,
        { option: 'id', received: id },
      )
    ids.add(id)
  }
}

function checkEnd(after: number | undefined, fresh: readonly PreparedMessage[], session: StoredSession): void {
  if (after === undefined || fresh.length === 0 || after === session.lastSeq) return
  throw new MemoryError(
    'log/conflict',
    `Cannot append after ${after}: the session ends at ${session.lastSeq}, read what came in between and try again`,
    { after, last: session.lastSeq },
  )
}

function refuseUnpaired(warnings: readonly Warning[]): void {
  const first = warnings.find((warning) => warning.type === 'orphan-result' || warning.type === 'missing-call-id')
  if (first !== undefined)
    throw new MemoryError('log/orphan-result', `Cannot append strictly: ${first.message}`, { warnings })
}

/** A retry of an append whose content was forgotten meanwhile must not bring it back. */
function comesBack(id: string): MemoryError {
  return new MemoryError(
    'log/forgotten',
    `Cannot append: ${JSON.stringify(id)} was forgotten in this session, expected another id`,
    { id },
  )
}

function conflictingOperation(id: string): MemoryError {
  return new MemoryError(
    'log/id-conflict',
    `Cannot append: operation ${JSON.stringify(id)} was carried out with other messages, expected the same messages or another operationId`,
    { operationId: id },
  )
}

/** What was asked, without what we added: generated ids and times differ between a call and its retry. */
function digestRequest(messages: readonly PreparedMessage[]): Uint8Array {
  return sha256(
    JSON.stringify(messages.map(({ role, body, id, idGiven, at }) => [role, body, idGiven ? id : null, at ?? null])),
  )
}

function withWarnings(messages: readonly Message[], warnings: readonly Warning[]): Appended {
  // Not enumerable: the answer stays an ordinary array of messages for everyone who compares or serialises it.
  return Object.defineProperty([...messages], 'warnings', { value: warnings }) as unknown as Appended
}
