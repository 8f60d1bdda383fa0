import type { AppendOptions, Appended } from '../api/messages.ts'
import { MemoryError } from '../domain/error.ts'
import type { Message } from '../domain/message.ts'
import type { NewMessage } from '../domain/new-message.ts'
import type { Warning } from '../domain/warning.ts'
import type { Decision, LogFindings } from '../ports/log-store.ts'
import { type StoredRow, addMessages, storedMessage, warningsOf } from './add-messages.ts'
import { sameBytes, sha256 } from './chain.ts'
import { currentDescription } from './current-description.ts'
import { checkDistinctIds, checkNotForgotten, givenNames } from './given-names.ts'
import type { Address, Log } from './log.ts'
import { messageText } from './message-text.ts'
import { startSession } from './start-session.ts'
import { type PreparedMessage, namedBlobs, prepare, prepareOne } from './prepare.ts'
import { toolLinks } from './tool-links.ts'
import { withoutLengths } from './without-lengths.ts'

/** A bound, not a tuning knob: past it, one append could hold the write lock for seconds. */
const MESSAGES_PER_APPEND_MAX = 1_000

interface Described {
  readonly text: string
  readonly key: number
  readonly amendments: number
}

/** The oldest are read again. */
const DESCRIBED_MAX = 10_000

interface Answer {
  readonly stored: readonly StoredRow[]
  readonly warnings: readonly Warning[]
  /** What was given as the description of a session that exists, where the session may have another. */
  readonly described?: Described
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
  const prepared = prepareAll(log, inputs, imported)
  const messages =
    prepared instanceof Promise || description !== undefined || log.order.isWaiting(address)
      ? await log.order.after(
          address,
          Promise.all([prepared, description]).then(([ready]) => ready),
        )
      : prepared
  const opening = description === undefined ? undefined : await description
  if (messages.length === 0) return withWarnings([], [])
  checkDistinctIds('append', messages)
  const request = operationId === undefined ? undefined : { id: operationId, digest: digestRequest(messages) }
  const given = messages.filter((message) => message.idGiven)
  const names = givenNames(address, given, operationId)
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
    decide: (findings) => {
      checkNotForgotten('append', names, findings)
      return decide(log, address, { messages, after, strict, opening, request }, findings)
    },
  })
  const ignored = answer.described === undefined ? [] : await ignoredDescription(log, address, answer.described)
  return withWarnings(answer.stored.map(storedMessage), [...answer.warnings, ...ignored])
}

function prepareAll(
  log: Log,
  inputs: readonly NewMessage[],
  imported: true | undefined,
): readonly PreparedMessage[] | Promise<readonly PreparedMessage[]> {
  const [first] = inputs
  if (first === undefined || inputs.length > 1 || log.redact !== undefined)
    return prepare(log, 'append', inputs, imported)
  const only = prepareOne(log, 'append', first, imported)
  return only instanceof Promise ? only.then((message) => [message]) : [only]
}

/** Says that the description that was given is not used, unless it is what the session's own says by now. */
async function ignoredDescription(
  log: Log,
  address: Address,
  { text, key, amendments }: Described,
): Promise<readonly Warning[]> {
  const current = await currentDescription(log, address)
  if (current !== undefined && messageText(current) === text) {
    if (log.described.size >= DESCRIBED_MAX) log.described.clear()
    if (current.revision === 0) log.described.set(key, amendments)
    return []
  }
  const has = current === undefined ? 'started without a description' : 'has another description'
  const message = `Session ${JSON.stringify(address.session)} ${has}, so the one that was given is not used: session.describe(text) changes it`
  return [{ type: 'other-description', id: current?.id ?? '', seq: current?.seq ?? 0, message }]
}

interface AppendRequest {
  readonly messages: readonly PreparedMessage[]
  readonly after: number | undefined
  readonly strict: boolean | undefined
  readonly opening: PreparedMessage | undefined
  readonly request: { readonly id: string; readonly digest: Uint8Array } | undefined
}

function decide(log: Log, address: Address, given: AppendRequest, findings: LogFindings): Decision<Answer> {
  const { messages, request } = given
  if (request !== undefined && findings.operation !== undefined) {
    if (!sameBytes(findings.operation.request, request.digest)) throw conflictingOperation(request.id)
    return { answer: { stored: findings.answered, warnings: warningsOf(messages, findings.answered, findings.links) } }
  }
  const described = otherDescription(log, given.opening, findings)
  const begun = findings.session ?? startSession(log, address, given.opening)
  const opening = findings.session === undefined ? given.opening : undefined
  const added = addMessages(log, { attempt: 'append', session: begun, messages, opening }, findings)
  const { session, rows, links, blobs, stored, warnings } = added
  if (rows.length > 0) checkEnd(given.after, begun.lastSeq)
  if (given.strict === true) refuseUnpaired(warnings)
  if (rows.length === 0 && request === undefined) return { answer: { stored, warnings } }
  return {
    answer: { stored, warnings, ...described },
    write: {
      session,
      messages: rows,
      amendments: [],
      links,
      blobs,
      ...(request === undefined
        ? {}
        : { operation: { id: request.id, request: request.digest, seqs: stored.map(({ row }) => row.seq) } }),
    },
  }
}

/** Most sessions have the description that they started with and no amendments: then nothing has to be read. */
function otherDescription(
  { described }: Log,
  opening: PreparedMessage | undefined,
  { session }: LogFindings,
): Pick<Answer, 'described'> {
  const first = opening?.parts[0]
  if (first?.type !== 'text' || session === undefined) return {}
  const { key, description, version, lastSeq } = session
  const amendments = version - lastSeq
  if (description === first.text && (amendments === 0 || described.get(key) === amendments)) return {}
  return { described: { text: first.text, key, amendments } }
}

function checkEnd(after: number | undefined, last: number): void {
  if (after === undefined || after === last) return
  throw new MemoryError(
    'log/conflict',
    `Cannot append after ${after}: the session ends at ${last}, read what came in between and try again`,
    { after, last },
  )
}

function refuseUnpaired(warnings: readonly Warning[]): void {
  const first = warnings.find((warning) => warning.type === 'orphan-result' || warning.type === 'missing-call-id')
  if (first !== undefined)
    throw new MemoryError('log/orphan-result', `Cannot append strictly: ${first.message}`, { warnings })
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
    JSON.stringify(
      messages.map(({ role, body, draft, blobs, id, idGiven, at }) => [
        role,
        blobs.length === 0 ? body : withoutLengths(draft),
        idGiven ? id : null,
        at ?? null,
      ]),
    ),
  )
}

function withWarnings(messages: readonly Message[], warnings: readonly Warning[]): Appended {
  // Not enumerable: the answer stays an ordinary array of messages for everyone who compares or serialises it.
  return Object.defineProperty([...messages], 'warnings', { value: warnings }) as unknown as Appended
}
