import { pairKey } from '../../domain/pair-key.ts'
import { callKey } from '../sql/call-key.ts'
import { amendmentValues, messageValues } from '../sql/log-values.ts'
import type { Link } from './link.ts'
import { batchStatements as sql } from './log-statements.ts'
import { columnsOf } from './read-findings.ts'
import type { SessionFindings, Write } from './session-findings.ts'

/** A session as it is to be stored, with all that was decided for it. */
interface Result {
  readonly key: number
  readonly session: Write['session']
  readonly writes: readonly Write[]
}

/**
 * Writes what a batch decided: one statement for each table. Only new sessions are waited for, since their rows hang on the
 * keys that they get; the rest travels with the commit, and what fails there fails the commit.
 */
export async function writeBatch(link: Link, changed: readonly SessionFindings[]): Promise<void> {
  const fresh = changed.filter(({ existed }) => !existed)
  const keys = await insertSessions(link, fresh)
  const results = changed.flatMap(({ head, written }): readonly Result[] => {
    const session = written.at(-1)?.session
    if (head === undefined || session === undefined) return []
    return [{ key: keys.get(pairKey(session.scope, session.name)) ?? head.key, session, writes: written }]
  })
  const existing = results.filter(({ session }) => !keys.has(pairKey(session.scope, session.name)))
  put(
    link,
    sql.insertBlobs,
    3,
    ofEach(results, ({ session, write }) => write.blobs.map(({ hash, bytes }) => [session.scope, hash, bytes])),
  )
  put(link, sql.insertMessages, 14, ofEach(results, messageRows))
  put(link, sql.insertAmendments, 12, ofEach(results, amendmentRows))
  put(link, sql.insertLinks, 5, ofEach(results, linkRows))
  put(link, sql.insertOperations, 5, ofEach(results, operationRows))
  put(
    link,
    sql.updateSessions,
    6,
    existing.map(({ key, session }) => [
      session.scope,
      key,
      session.updatedAt,
      session.lastSeq,
      session.version,
      session.head,
    ]),
  )
}

interface One {
  readonly key: number
  readonly session: Write['session']
  readonly write: Write
}
type Rows = readonly (readonly unknown[])[]

function ofEach(results: readonly Result[], rows: (one: One) => Rows): Rows {
  return results.flatMap(({ key, session, writes }) => writes.flatMap((write) => rows({ key, session, write })))
}

function messageRows({ key, session, write }: One): Rows {
  return write.messages.map((row) => [session.scope, key, ...messageValues(row)])
}

function amendmentRows({ key, session, write }: One): Rows {
  return write.amendments.map((row) => [session.scope, key, ...amendmentValues(row)])
}

function linkRows({ key, session, write }: One): Rows {
  return write.links.map(({ callId, seq, kind }) => [session.scope, key, callKey(callId), seq, kind])
}

function operationRows({ key, session, write: { operation } }: One): Rows {
  return operation === undefined
    ? []
    : [[session.scope, key, operation.id, operation.request, JSON.stringify(operation.seqs)]]
}

/**
 * Keys of the sessions that were made, by name. In the order in which they were decided, since sessions are listed by their
 * keys. Two processes that make the same two at once in another order wait in a circle: the server ends one, and it tries again.
 */
async function insertSessions(link: Link, fresh: readonly SessionFindings[]): Promise<ReadonlyMap<string, number>> {
  if (fresh.length === 0) return new Map()
  const sessions = fresh.flatMap(({ written }) => written.at(-1)?.session ?? [])
  const rows = sessions.map(
    ({ scope, name, description, createdAt, updatedAt, lastSeq, version, genesis, head, parent }) => [
      scope,
      name,
      JSON.stringify(description),
      createdAt,
      updatedAt,
      lastSeq,
      version,
      genesis,
      head,
      parent?.key ?? null,
      parent?.throughSeq ?? null,
      parent?.throughVersion ?? null,
      parent?.link ?? null,
    ],
  )
  const made = (await link.send({ text: sql.insertSessions, values: columnsOf(rows, 13), gives: 'rows' })) as readonly {
    readonly scope: string
    readonly name: string
    readonly key: number
  }[]
  if (made.length < rows.length) throw overtaken()
  return new Map(made.map(({ scope, name, key }) => [pairKey(scope, name), key]))
}

/** As the server says it where it notices itself: the same transaction again will see what the other stored. */
function overtaken(): Error {
  return Object.assign(new Error('another process made the session first'), { code: '40001' })
}

function put(link: Link, text: string, width: number, rows: Rows): void {
  if (rows.length > 0) void link.send({ text, values: columnsOf(rows, width), gives: 'changes' })
}
