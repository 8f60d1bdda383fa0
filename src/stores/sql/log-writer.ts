import { pairKey } from '../../domain/pair-key.ts'
import type { LogChange, SessionHead } from '../../ports/log-store.ts'
import { callKey } from './call-key.ts'
import type { SqlDialect } from './dialect.ts'
import type { HeadCache } from './head-cache.ts'
import { type BatchFindings, logFindings } from './log-findings.ts'
import { logWrites, ownerValues } from './log-statements.ts'
import { amendmentValues, messageValues } from './log-values.ts'
import { type Program, type ProgramStep, together, write } from './program.ts'

import { type SessionFindings, type Write, keyed } from './session-findings.ts'

/** A statement's values are one message to a server, which takes no more than a gigabyte. */
const CHARACTERS_PER_BATCH_MAX = 32_000_000

/** What became of a change. One that would make its batch too large is left for a later one. */
export type LogOutcome = { readonly answer: unknown } | { readonly refusal: unknown } | 'later'

export interface WrittenBatch {
  readonly outcomes: readonly LogOutcome[]
  /** The sessions as the batch leaves them once it is committed. */
  readonly heads: readonly SessionHead[]
}

/**
 * Changes of the log, one or many in a transaction: keeps others from the sessions, reads what the changes ask for, decides one
 * after the other and writes what was decided. A change that is refused fails alone.
 */
export function logWriter(
  dialect: SqlDialect,
  known: HeadCache,
): (changes: readonly LogChange<unknown>[]) => Program<WrittenBatch> {
  const read = logFindings(dialect, known)
  const writeAll = writing(dialect)
  return function* (changes) {
    const findings = yield* read(changes)
    const changed = new Set<SessionFindings>()
    const outcomes = decideAll(changes, findings, changed)
    if (changed.size > 0) yield* writeAll(changed)
    return { outcomes, heads: headsOf(findings) }
  }
}

function headsOf({ sessions }: BatchFindings): readonly SessionHead[] {
  const heads: SessionHead[] = []
  for (const { head } of sessions.values()) if (head !== undefined) heads.push(head)
  return heads
}

/** Each change sees what those before it decided. `changed` gets the sessions that have something to write, in that order. */
function decideAll(
  changes: readonly LogChange<unknown>[],
  { sessions, present }: BatchFindings,
  changed: Set<SessionFindings>,
): readonly LogOutcome[] {
  let characters = 0
  return changes.map((change): LogOutcome => {
    if (characters > CHARACTERS_PER_BATCH_MAX) return 'later'
    const { scope, session, questions } = change
    const known = sessions.get(pairKey(scope, session))
    if (known === undefined) return 'later'
    const parent = questions.parent === undefined ? undefined : sessions.get(pairKey(scope, questions.parent))?.head
    try {
      const { answer, write: decided } = change.decide(known.of(change, parent, present))
      if (decided !== undefined) {
        known.apply(decided)
        changed.add(known)
        for (const { hash } of decided.blobs) present.blobs.add(pairKey(scope, hash))
        characters += sizeOf(decided)
      }
      return { answer }
    } catch (refusal) {
      return { refusal }
    }
  })
}

function sizeOf({ messages, amendments, blobs }: Write): number {
  let size = 0
  for (const { body } of messages) size += body.length
  for (const { body } of amendments) size += body.length
  for (const { bytes } of blobs) size += 2 * bytes.length
  return size
}

type Changed = ReadonlySet<SessionFindings>

/**
 * Writes what was decided. Only new sessions are waited for, since their rows hang on the keys that they get; the rest travels
 * with the commit, and what fails there fails the commit.
 */
function writing(dialect: SqlDialect): (changed: Changed) => Program<void> {
  const sql = logWrites(dialect)
  return function* (changed) {
    const fresh = [...changed].filter(({ existed }) => !existed)
    if (fresh.length > 0) yield* insertSessions(sql.insertSession, fresh)
    const steps = rowSteps(dialect, sql, changed)
    for (const { head, existed } of changed)
      if (existed && head !== undefined) {
        const { updatedAt, lastSeq, version, scope, key } = head
        steps.push(write(sql.updateSession, updatedAt, lastSeq, version, head.head, scope, key))
      }
    yield steps
  }
}

/** By table, so that a server gets one statement for each. */
function rowSteps(dialect: SqlDialect, sql: LogWrites, changed: Changed): ProgramStep[] {
  const steps = [...blobSteps(sql.insertBlob, changed)]
  const tables: readonly TableSteps[] = [messageSteps, amendmentSteps, linkSteps, operationSteps]
  for (const addTo of tables)
    for (const { head, written } of changed)
      if (head !== undefined) for (const one of written) addTo(steps, sql, ownerValues(dialect, head), one)
  return steps
}

type LogWrites = ReturnType<typeof logWrites>
type TableSteps = (steps: ProgramStep[], sql: LogWrites, owner: readonly unknown[], of: Write) => void

const messageSteps: TableSteps = (steps, { insertMessage: text }, owner, { messages }) => {
  for (const row of messages) steps.push({ text, values: [...owner, ...messageValues(row)], gives: 'nothing' })
}

const amendmentSteps: TableSteps = (steps, { insertAmendment: text }, owner, { amendments }) => {
  for (const row of amendments) steps.push({ text, values: [...owner, ...amendmentValues(row)], gives: 'nothing' })
}

const linkSteps: TableSteps = (steps, { insertLink }, owner, { links }) => {
  for (const { callId, seq, kind } of links) steps.push(write(insertLink, ...owner, callKey(callId), seq, kind))
}

const operationSteps: TableSteps = (steps, { insertOperation }, owner, { operation }) => {
  if (operation === undefined) return
  const { id, request, seqs } = operation
  steps.push(write(insertOperation, ...owner, id, request, JSON.stringify(seqs)))
}

/** Each once, in the order of their names, so that two batches never wait for each other in a circle. */
function blobSteps(text: string, changed: Changed): readonly ProgramStep[] {
  const blobs = new Map<string, ProgramStep>()
  for (const { written } of changed)
    for (const { session, blobs: brought } of written)
      for (const { hash, bytes } of brought)
        blobs.set(pairKey(session.scope, hash), write(text, session.scope, hash, bytes))
  if (blobs.size < 2) return [...blobs.values()]
  return [...blobs].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, step]) => step)
}

/**
 * In the order in which they were decided, since sessions are listed by their keys. Two processes that create the same two at
 * once in another order wait in a circle: the server ends one, and it tries again.
 */
function* insertSessions(text: string, fresh: readonly SessionFindings[]): Program<void> {
  const steps = fresh.flatMap(({ head }): readonly ProgramStep[] => {
    if (head === undefined) return []
    const { scope, name, description, createdAt, updatedAt, lastSeq, version, genesis, parent } = head
    const own = [scope, name, JSON.stringify(description), createdAt, updatedAt, lastSeq, version, genesis, head.head]
    const { key = null, throughSeq = null, throughVersion = null, link = null } = parent ?? {}
    return [{ text, values: [...own, key, throughSeq, throughVersion, link], gives: 'rows' }]
  })
  const made = ((yield* together(steps)) as readonly (readonly Pick<SessionHead, 'scope' | 'name' | 'key'>[])[]).flat()
  if (made.length < steps.length) throw overtaken()
  const keys = new Map(made.map(({ scope, name, key }) => [pairKey(scope, name), key]))
  for (const one of fresh) {
    const { head } = one
    if (head !== undefined) one.head = keyed(head, keys.get(pairKey(head.scope, head.name)) ?? head.key)
  }
}

/** With the code of a server that notices it itself: the same transaction, run again, sees what the other stored. */
function overtaken(): Error {
  return Object.assign(new Error('another process created the session first'), { code: '40001' })
}
