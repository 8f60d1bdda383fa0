import { inheritedAmendments } from '../../domain/inherited-amendments.ts'
import type {
  AmendmentRow,
  LogChange,
  Decision,
  LogFindings,
  LogStore,
  MessageRow,
  OperationRow,
  Questions,
  SessionHead,
  StoredSession,
  ToolLink,
} from '../../ports/log-store.ts'
import { type SessionRow, sessionHead } from '../sql/lineage.ts'
import type { Database } from '../sql/database.ts'
import { callKey } from '../sql/call-key.ts'
import { headAfter } from '../sql/head-after.ts'
import type { HeadCache } from '../sql/head-cache.ts'
import { logReader } from '../sql/log-reader.ts'
import { logReads, logStatements as sql } from '../sql/log-statements.ts'
import { amendmentValues, messageValues } from '../sql/log-values.ts'
import type { SqliteCommitSignal } from './commit-signal.ts'
import type { Connection } from './connection.ts'
import { sqlite } from './dialect.ts'
import type { WriteQueue } from './write-queue.ts'

type Stored = LogFindings['answered'][number]
type Write = NonNullable<Decision<unknown>['write']>

const reads = logReads(sqlite)

/** The log in an SQLite file: rows in, rows out. */
export function sqliteLogStore(
  database: Database,
  connection: Connection,
  {
    queue,
    signal,
    heads,
  }: { readonly queue: WriteQueue; readonly signal: SqliteCommitSignal; readonly heads: HeadCache },
): LogStore {
  const writer = new LogWriter(connection, queue, heads)
  return {
    ...logReader(database),
    change: (change) => writer.change(change),
    subscribe: (scope, session, onCommit) => signal.subscribe(scope, session, onCommit),
  }
}

const NONE: ReadonlySet<string> = new Set()
const NO_MESSAGES: LogFindings['messages'] = new Map()
/** To a change that asks for nothing. */
const NO_ANSWERS: Omit<LogFindings, 'session'> = {
  parent: undefined,
  operation: undefined,
  messages: NO_MESSAGES,
  links: [],
  blobs: NONE,
  forgotten: NONE,
  answered: [],
}

function asksMore({ ids, callIds, blobs, forgotten, operationId }: Questions): boolean {
  const names = ids.length + callIds.length + blobs.length + (forgotten?.length ?? 0)
  return names > 0 || operationId !== undefined
}

/** Undefined where it fails: whoever tries again by another way hears of it then. */
function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

/** Not a program: an append is a few microseconds, and a generator for each of its statements would be felt. */
class LogWriter {
  readonly #connection: Connection
  readonly #queue: WriteQueue
  readonly #heads: HeadCache

  constructor(connection: Connection, queue: WriteQueue, heads: HeadCache) {
    this.#connection = connection
    this.#queue = queue
    this.#heads = heads
  }

  change<Answer>(change: LogChange<Answer>): Promise<Answer> {
    return this.#queue.write(`write to session ${JSON.stringify(change.session)}`, () => {
      const head = asksMore(change.questions) ? undefined : this.#heads.of(change)
      const done = head === undefined ? undefined : this.#goOn(head, change)
      return done === undefined ? this.#change(change) : done.answer
    })
  }

  #change<Answer>(change: LogChange<Answer>): Answer {
    const facts = this.#facts(change.scope, change.session, change.questions)
    const { answer, write } = change.decide(facts)
    if (write !== undefined) this.#write(facts.session, write)
    return answer
  }

  /**
   * Goes on from how this process left the session, if it still stands so: that spares reading it, a quarter of an append.
   * What is refused is refused by what was read.
   */
  #goOn<Answer>(head: SessionHead, change: LogChange<Answer>): { readonly answer: Answer } | undefined {
    const decision = attempt(() => change.decide({ ...NO_ANSWERS, session: head }))
    if (decision?.write === undefined) return undefined
    if (this.#advance(head, decision.write.session) === 0) {
      this.#heads.wasOtherwise(head)
      return undefined
    }
    this.#insert(head.key, decision.write)
    this.#heads.keep(headAfter(head, decision.write))
    return { answer: decision.answer }
  }

  #advance({ key, version, head, description }: SessionHead, to: StoredSession): number {
    const values = [to.updatedAt, to.lastSeq, to.version, to.head, key, version, head, JSON.stringify(description)]
    return this.#connection.statement(sql.advanceSession).run(...values).changes
  }

  #all<Row>(statement: string, ...values: unknown[]): readonly Row[] {
    return this.#connection.statement(statement).all(...values) as Row[]
  }

  #one<Row>(statement: string, ...values: unknown[]): Row | undefined {
    return this.#connection.statement(statement).get(...values) as Row | undefined
  }

  #run(statement: string, ...values: unknown[]): void {
    this.#connection.statement(statement).run(...values)
  }

  #head(scope: string, name: string): SessionHead | undefined {
    const row = this.#one<SessionRow>(sql.session, scope, name)
    return row === undefined ? undefined : this.#withLineage(row)
  }

  /** Stops at an ancestor that is missing or comes again: damage must not hang or hide the sessions beside it. */
  #withLineage(row: SessionRow): SessionHead {
    if (row.parentKey === null) return sessionHead(row, [])
    const ancestors: SessionRow[] = []
    const seen = new Set([row.key])
    for (let key: number | null = row.parentKey; key !== null && !seen.has(key);) {
      const ancestor: SessionRow | undefined = this.#one<SessionRow>(sql.sessionByKey, row.scope, key)
      if (ancestor === undefined) break
      ancestors.push(ancestor)
      seen.add(key)
      key = ancestor.parentKey
    }
    return sessionHead(row, ancestors)
  }

  #amendments(key: number, from: number, through: number, throughVersion: number): readonly AmendmentRow[] {
    const rows = this.#all<AmendmentRow>(
      reads.amendmentsOfMessages,
      key,
      from,
      through,
      throughVersion,
      key,
      through,
      throughVersion,
    )
    return rows.toSorted((a, b) => a.version - b.version)
  }

  #facts(scope: string, name: string, questions: Questions): LogFindings {
    const session = this.#head(scope, name)
    const operation =
      session === undefined || questions.operationId === undefined
        ? undefined
        : this.#operation(session, questions.operationId)
    return {
      session,
      parent: questions.parent === undefined ? undefined : this.#head(scope, questions.parent),
      operation,
      messages: questions.ids.length === 0 ? NO_MESSAGES : this.#found(session, questions.ids),
      links: questions.callIds.flatMap((callId) => this.#links(session, callId)),
      blobs: this.#known(sql.hasBlob, scope, questions.blobs),
      forgotten: this.#known(sql.wasForgotten, scope, questions.forgotten),
      answered:
        operation === undefined || session === undefined ? [] : operation.seqs.flatMap((seq) => this.#at(session, seq)),
    }
  }

  #found(session: SessionHead | undefined, ids: readonly string[]): LogFindings['messages'] {
    return new Map(ids.flatMap((id) => this.#find(session, id).map((found) => [id, found] as const)))
  }

  #known(statement: string, scope: string, hashes: readonly string[] = []): ReadonlySet<string> {
    if (hashes.length === 0) return NONE
    return new Set(hashes.filter((hash) => this.#one(statement, scope, hash) !== undefined))
  }

  #find(session: SessionHead | undefined, id: string): readonly Stored[] {
    for (const segment of session?.lineage.toReversed() ?? []) {
      const row = this.#one<MessageRow>(reads.messageById, segment.key, id)
      if (session !== undefined && row !== undefined && row.seq >= segment.from && row.seq <= segment.through)
        return [this.#amended(session, row)]
    }
    return []
  }

  #at(session: SessionHead, seq: number): readonly Stored[] {
    const segment = session.lineage.find(({ from, through }) => from <= seq && seq <= through)
    if (segment === undefined) return []
    return this.#all<MessageRow>(reads.messagesUp, segment.key, seq, seq, 1).map((row) => this.#amended(session, row))
  }

  #amended(session: SessionHead, row: MessageRow): Stored {
    const amendments = session.lineage.flatMap(({ key, through, throughVersion }) => {
      const found = this.#amendments(key, row.seq, row.seq, throughVersion)
      return key === session.key ? found : inheritedAmendments(found, through)
    })
    return { row, amendments }
  }

  #links(session: SessionHead | undefined, callId: string): readonly ToolLink[] {
    return (session?.lineage ?? []).flatMap(({ key, through }) =>
      this.#all<ToolLink>(sql.links, key, callKey(callId), through).map((link) => ({ ...link, callId })),
    )
  }

  #operation(session: SessionHead, id: string): OperationRow | undefined {
    const row = this.#one<Omit<OperationRow, 'seqs'> & { readonly seqs: string }>(sql.operation, session.key, id)
    return row === undefined ? undefined : { ...row, seqs: JSON.parse(row.seqs) as number[] }
  }

  #write(before: SessionHead | undefined, write: Write): void {
    const { updatedAt, lastSeq, version, head } = write.session
    const key = before?.key ?? this.#insertSession(write.session)
    this.#insert(key, write)
    if (before !== undefined) this.#run(sql.updateSession, updatedAt, lastSeq, version, head, key)
    this.#heads.keep(headAfter(before ?? { key }, write))
  }

  #insert(key: number, { session, operation, ...write }: Write): void {
    for (const blob of write.blobs) this.#run(sql.insertBlob, session.scope, blob.hash, blob.bytes)
    for (const row of write.messages) this.#run(sql.insertMessage, key, ...messageValues(row))
    for (const row of write.amendments) this.#run(sql.insertAmendment, key, ...amendmentValues(row))
    for (const link of write.links) this.#run(sql.insertLink, key, callKey(link.callId), link.seq, link.kind)
    if (operation !== undefined)
      this.#run(sql.insertOperation, key, operation.id, operation.request, JSON.stringify(operation.seqs))
  }

  #insertSession(session: StoredSession): number {
    const { scope, name, description, createdAt, updatedAt, lastSeq, version, genesis, head, parent } = session
    const values = [scope, name, JSON.stringify(description), createdAt, updatedAt, lastSeq, version, genesis, head]
    const origin = [
      parent?.key ?? null,
      parent?.throughSeq ?? null,
      parent?.throughVersion ?? null,
      parent?.link ?? null,
    ]
    return (this.#connection.statement(sql.insertSession).get(...values, ...origin) as { key: number }).key
  }
}
