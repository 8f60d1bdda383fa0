import { MemoryError } from '../domain/error.ts'
import type { Message } from '../domain/message.ts'
import type { Warning } from '../domain/warning.ts'
import type {
  AmendmentRow,
  Blob,
  Decision,
  LogFindings,
  MessageRow,
  StoredSession,
  ToolLink,
} from '../ports/log-store.ts'
import { type StoredRow, addMessages, storedMessage } from './add-messages.ts'
import { amend } from './amend.ts'
import { sameBytes } from './chain.ts'
import { checkNotForgotten, givenNames } from './given-names.ts'
import type { Address, Log } from './log.ts'
import { messageFromRow } from './message-from-row.ts'
import { type PreparedMessage, checkBlobs, namedBlobs } from './prepare.ts'
import { startSession } from './start-session.ts'
import { toolLinks } from './tool-links.ts'

/** A step that only waits for its transaction. */
export type PreparedStep =
  | { readonly type: 'append'; readonly messages: readonly PreparedMessage[] }
  /** `before` is the message that the new content was made from. */
  | { readonly type: 'revise'; readonly before: Message; readonly message: PreparedMessage }
  /** A revision of a message that was not found. */
  | { readonly type: 'missing'; readonly id: string }
  | { readonly type: 'remove'; readonly id: string }
  | { readonly type: 'clear'; readonly keepSystem: boolean }

interface Committing {
  readonly attempt: string
  readonly steps: readonly PreparedStep[]
  readonly after?: number | { readonly version: number } | undefined
  readonly request?: { readonly id: string; readonly digest: Uint8Array } | undefined
  /** The message that a new session starts with. */
  readonly opening?: PreparedMessage | undefined
  /** Where ids of new messages are stored already, or were forgotten, they are returned and nothing is changed. */
  readonly onlyNew?: boolean
}

/** What came of it. `overtaken`: somebody revised a message first, so its new content has to be made again. */
export type Committed =
  | {
      readonly type: 'done'
      readonly stored: readonly Message[]
      readonly warnings: readonly Warning[]
      readonly session: StoredSession | undefined
    }
  | { readonly type: 'overtaken' }
  | { readonly type: 'taken' | 'forgotten'; readonly ids: readonly string[] }

/**
 * Carries out steps in one transaction, or none of them.
 *
 * @throws {MemoryError} `log/conflict` if the log is not where `after` says; `log/id-conflict`; `log/not-found`.
 */
export function commitSteps(log: Log, address: Address, committing: Committing): Promise<Committed> {
  const { attempt, steps, request } = committing
  const appended = steps.flatMap((step) => (step.type === 'append' ? step.messages : []))
  const prepared = [...appended, ...steps.flatMap((step) => (step.type === 'revise' ? [step.message] : []))]
  const given = appended.filter(({ idGiven }) => idGiven)
  const names = givenNames(address, given, request?.id)
  const calls = appended.flatMap(({ parts }) => toolLinks(0, parts))
  const others = steps.flatMap((step) => (step.type === 'revise' ? [step.before.id] : 'id' in step ? [step.id] : []))
  return log.store.change<Committed>({
    ...address,
    questions: {
      ids: [...given.map(({ id }) => id), ...others],
      forgotten: [...names.keys()],
      callIds: [...new Set(calls.map(({ callId }) => callId))],
      blobs: namedBlobs(prepared),
      ...(request === undefined ? {} : { operationId: request.id }),
    },
    decide: (findings) => {
      if (committing.onlyNew !== true) checkNotForgotten(attempt, names, findings)
      else {
        const forgotten = [...findings.forgotten].map((name) => names.get(name) ?? '')
        if (forgotten.length > 0) return { answer: { type: 'forgotten', ids: forgotten } }
        const taken = given.map(({ id }) => id).filter((id) => findings.messages.has(id))
        if (taken.length > 0) return { answer: { type: 'taken', ids: taken } }
      }
      return decide(log, address, committing, findings)
    },
  })
}

/** What the steps so far come to. */
interface Progress {
  session: StoredSession
  readonly messages: MessageRow[]
  readonly amendments: AmendmentRow[]
  readonly links: ToolLink[]
  readonly blobs: Blob[]
  readonly stored: StoredRow[]
  readonly warnings: Warning[]
}

function decide(log: Log, address: Address, committing: Committing, findings: LogFindings): Decision<Committed> {
  const { attempt, steps, request, opening } = committing
  if (request !== undefined && findings.operation !== undefined) {
    if (!sameBytes(findings.operation.request, request.digest)) throw otherSteps(attempt, request.id)
    const stored = findings.answered.map(storedMessage)
    return { answer: { type: 'done', stored, warnings: [], session: findings.session } }
  }
  checkEnd(attempt, committing.after, findings.session)
  const changes = steps.some((step) => step.type === 'append' && step.messages.length > 0)
  // A session exists from its first message on: what changes nothing does not create one.
  if (findings.session === undefined && !changes && steps.every(({ type }) => type === 'clear' || type === 'append'))
    return { answer: { type: 'done', stored: [], warnings: [], session: undefined } }
  const progress: Progress = {
    session: findings.session ?? startSession(log, address, opening),
    messages: [],
    amendments: [],
    links: [],
    blobs: [],
    stored: [],
    warnings: [],
  }
  for (const step of steps) if (!take(log, step, { committing, findings, progress })) return OVERTAKEN
  const { session, stored, warnings, ...rows } = progress
  const answer: Committed = { type: 'done', stored: stored.map(storedMessage), warnings, session }
  if (rows.messages.length + rows.amendments.length === 0 && request === undefined) return { answer }
  const operation =
    request === undefined
      ? {}
      : { operation: { id: request.id, request: request.digest, seqs: stored.map(({ row }) => row.seq) } }
  return { answer, write: { session, ...rows, ...operation } }
}

const OVERTAKEN: Decision<Committed> = { answer: { type: 'overtaken' } }

interface Taking {
  readonly committing: Committing
  readonly findings: LogFindings
  readonly progress: Progress
}

/** Adds one step to the progress; false if its message was revised by somebody else. */
function take(log: Log, step: PreparedStep, { committing, findings, progress }: Taking): boolean {
  const { attempt, opening } = committing
  if (step.type === 'append') {
    const isNew = findings.session === undefined && progress.messages.length === 0
    const { session } = progress
    const adding = { attempt, session, messages: step.messages, opening: isNew ? opening : undefined }
    const added = addMessages(log, adding, { ...findings, links: [...findings.links, ...progress.links] })
    progress.session = added.session
    progress.messages.push(...added.rows)
    progress.links.push(...added.links)
    progress.blobs.push(...added.blobs)
    progress.stored.push(...added.stored)
    progress.warnings.push(...added.warnings)
    return true
  }
  if (step.type === 'clear') {
    const { lastSeq } = progress.session
    if (lastSeq > 0) change(log, progress, { kind: step.keepSystem ? 'clear-keeping-system' : 'clear', seq: lastSeq })
    return true
  }
  const id = step.type === 'revise' ? step.before.id : step.id
  const added = step.type === 'remove' ? progress.messages.find((row) => row.id === id) : undefined
  if (added !== undefined) {
    change(log, progress, { kind: 'remove', seq: added.seq })
    return true
  }
  const { row, amendments } = findings.messages.get(id) ?? missing(attempt, id)
  if (step.type === 'missing') return false
  const current = messageFromRow(row, amendments)
  if (step.type === 'remove') {
    if (current.removed !== true) change(log, progress, { kind: 'remove', seq: row.seq })
    return true
  }
  if (current.revision !== step.before.revision) return false
  const { message } = step
  checkBlobs(attempt, [message], findings)
  const made = change(log, progress, { kind: 'revise', seq: row.seq, body: message.body, tokens: message.tokens })
  progress.blobs.push(...message.blobs)
  // A message may grow by calls of tools: their results find them by these.
  progress.links.push(...toolLinks(row.seq, message.parts))
  progress.stored.push({ row, amendments: [...amendments, made] })
  return true
}

function change(log: Log, progress: Progress, what: Parameters<typeof amend>[2]): AmendmentRow {
  const { answer, write } = amend(log, progress.session, what, (row) => row)
  progress.session = write.session
  progress.amendments.push(answer)
  return answer
}

function checkEnd(attempt: string, after: Committing['after'], session: StoredSession | undefined): void {
  const { lastSeq = 0, version = 0 } = session ?? {}
  if (after === undefined || (typeof after === 'number' ? after === lastSeq : after.version === version)) return
  const [wanted, found] =
    typeof after === 'number' ? [`position ${after}`, lastSeq] : [`version ${after.version}`, version]
  throw new MemoryError(
    'log/conflict',
    `Cannot ${attempt} after ${wanted}: the session is at ${found}, read what came in between and try again`,
    { after, last: lastSeq, version },
  )
}

function missing(attempt: string, id: string): never {
  throw new MemoryError(
    'log/not-found',
    `Cannot ${attempt}: the session has no message ${JSON.stringify(id)}, expected the id of a stored one`,
    { id },
  )
}

function otherSteps(attempt: string, id: string): MemoryError {
  return new MemoryError(
    'log/id-conflict',
    `Cannot ${attempt}: operation ${JSON.stringify(id)} was carried out with other steps, expected the same steps or another operationId`,
    { operationId: id },
  )
}
