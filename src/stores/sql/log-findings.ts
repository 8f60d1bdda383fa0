import { inheritedAmendments } from '../../domain/inherited-amendments.ts'
import { pairKey } from '../../domain/pair-key.ts'
import type {
  AmendmentRow,
  LogChange,
  MessageRow,
  OperationRow,
  Questions,
  Segment,
  SessionHead,
  ToolLink,
} from '../../ports/log-store.ts'
import { callKey } from './call-key.ts'
import type { SqlDialect } from './dialect.ts'
import type { HeadCache } from './head-cache.ts'
import { headOf } from './head-of.ts'
import type { SessionRow } from './lineage.ts'
import { logReads, logStatements, logWrites, ownerValues } from './log-statements.ts'
import { type Program, allEach, inParallel, together } from './program.ts'
import { type Present, SessionFindings, asksMore } from './session-findings.ts'

/** All that the changes of a batch ask for, by session; and which of the blobs and forgotten names there are. */
export interface BatchFindings {
  readonly sessions: ReadonlyMap<string, SessionFindings>
  readonly present: Present
}

/** By name; undefined where there is no such session yet. */
type Heads = ReadonlyMap<string, SessionHead | undefined>
type Changes = readonly LogChange<unknown>[]
interface Asked {
  readonly session: SessionFindings
  readonly questions: Questions
}
interface FoundMessage {
  readonly session: SessionFindings
  readonly row: MessageRow
}

/**
 * Reads what changes ask for, once their sessions are kept from others: one step for the sessions, one for the answers, and one
 * more only where a message was found or a session is a fork.
 */
export function logFindings(dialect: SqlDialect, known: HeadCache): (changes: Changes) => Program<BatchFindings> {
  const answering = answers(dialect)
  return function* (changes) {
    const heads = (yield* hold(dialect, known, changes)) ?? (yield* lock(dialect, changes))
    const sessions = new Map<string, SessionFindings>()
    for (const [name, head] of heads) sessions.set(name, new SessionFindings(head))
    const present: Present = { blobs: new Set(), forgotten: new Set() }
    if (changes.some(({ questions }) => asksMore(questions))) yield* answering(changes, sessions, present)
    return { sessions, present }
  }
}

/** The sessions as this process left them, if all of them are known and still are so. */
function* hold(dialect: SqlDialect, known: HeadCache, changes: Changes): Program<Heads | undefined> {
  const heads = known.all(changes)
  if (heads === undefined) return undefined
  const held = yield* together(dialect.sessions.hold([...heads.values()]))
  // A server that does not find them so ends the transaction.
  if (held.every((rows) => !Array.isArray(rows) || rows.length > 0)) return heads
  for (const head of heads.values()) known.wasOtherwise(head)
  return undefined
}

function* lock(dialect: SqlDialect, changes: Changes): Program<Heads> {
  const wanted = new Map<string, readonly [scope: string, name: string]>()
  for (const { scope, session, questions } of changes) {
    wanted.set(pairKey(scope, session), [scope, session])
    if (questions.parent !== undefined) wanted.set(pairKey(scope, questions.parent), [scope, questions.parent])
  }
  const rows = (yield* together(dialect.sessions.lock([...wanted.values()]))) as readonly (readonly SessionRow[])[]
  const found = yield* inParallel<SessionHead[]>(rows.flat().map((row) => headOf(row)))
  const heads = new Map(found.map((head) => [pairKey(head.scope, head.name), head]))
  return new Map([...wanted.keys()].map((name) => [name, heads.get(name)]))
}

type Answering = (changes: Changes, sessions: ReadonlyMap<string, SessionFindings>, present: Present) => Program<void>

interface LogQueries {
  readonly sql: ReturnType<typeof logReads> & ReturnType<typeof logWrites>
  readonly owner: (session: Pick<Segment, 'scope' | 'key'>) => readonly unknown[]
}

/** Puts the answers to all questions where the decisions look for them. */
function answers(dialect: SqlDialect): Answering {
  const queries: LogQueries = {
    sql: { ...logReads(dialect), ...logWrites(dialect) },
    owner: (session) => ownerValues(dialect, session),
  }
  return function* (changes, sessions, present) {
    const asked = changes.flatMap(({ scope, session: name, questions }) => {
      const session = sessions.get(pairKey(scope, name))
      return session?.head === undefined ? [] : [{ session, questions }]
    })
    const [found, answered] = yield* inParallel<[readonly FoundMessage[], readonly FoundMessage[], void, void, void]>([
      messagesOf(queries, asked),
      operationsOf(queries, asked),
      linksOf(queries, asked),
      presentOf(queries.sql.hasBlob, changes, ({ blobs }) => blobs, present.blobs),
      presentOf(logStatements.wasForgotten, changes, ({ forgotten = [] }) => forgotten, present.forgotten),
    ])
    yield* amend(queries, [...found, ...answered])
  }
}

function* messagesOf(queries: LogQueries, asked: readonly Asked[]): Program<readonly FoundMessage[]> {
  const places = asked.flatMap(({ session, questions }) =>
    questions.ids.flatMap((id) => segmentsOf(session).map((segment) => ({ session, segment, id }))),
  )
  const rows = yield* allEach<MessageRow>(
    queries.sql.messageById,
    places.map(({ segment, id }) => [...queries.owner(segment), id]),
  )
  // An ancestor may have gone on after the fork: what came later is not part of this session.
  return places.flatMap(({ session, segment: { from, through } }, place) =>
    (rows[place] ?? []).flatMap((row) => (row.seq < from || row.seq > through ? [] : [{ session, row }])),
  )
}

/** Keeps the operations that are found, and reads the messages that they were answered with. */
function* operationsOf(queries: LogQueries, asked: readonly Asked[]): Program<readonly FoundMessage[]> {
  const places = asked.flatMap(({ session, questions: { operationId } }) =>
    session.head === undefined || operationId === undefined ? [] : [{ session, head: session.head, operationId }],
  )
  const rows = yield* allEach<Omit<OperationRow, 'seqs'> & { readonly seqs: string }>(
    queries.sql.operation,
    places.map(({ head, operationId }) => [...queries.owner(head), operationId]),
  )
  const answered = places.flatMap(({ session }, place) =>
    (rows[place] ?? []).flatMap((row) => {
      const seqs = JSON.parse(row.seqs) as number[]
      session.rows.operations.set(row.id, { ...row, seqs })
      return seqs.flatMap((seq) => {
        const segment = segmentsOf(session).find(({ from, through }) => from <= seq && seq <= through)
        return segment === undefined ? [] : [{ session, segment, seq }]
      })
    }),
  )
  const found = yield* allEach<MessageRow>(
    queries.sql.messagesUp,
    answered.map(({ segment, seq }) => [...queries.owner(segment), seq, seq, 1]),
  )
  return answered.flatMap(({ session }, place) => (found[place] ?? []).map((row) => ({ session, row })))
}

function* linksOf(queries: LogQueries, asked: readonly Asked[]): Program<void> {
  const callIds = new Map<SessionFindings, Set<string>>()
  for (const { session, questions } of asked)
    for (const callId of questions.callIds)
      callIds.set(session, (callIds.get(session) ?? new Set<string>()).add(callId))
  const places = [...callIds].flatMap(([session, ids]) =>
    [...ids].flatMap((callId) => segmentsOf(session).map((segment) => ({ session, segment, callId }))),
  )
  const rows = yield* allEach<Omit<ToolLink, 'callId'>>(
    queries.sql.links,
    places.map(({ segment, callId }) => [...queries.owner(segment), callKey(callId), segment.through]),
  )
  for (const [place, { session, callId }] of places.entries())
    session.addLinks((rows[place] ?? []).map((link) => ({ ...link, callId })))
}

/** Keeps messages with all that was changed about them. */
function* amend(queries: LogQueries, all: readonly FoundMessage[]): Program<void> {
  // Two changes of a batch may ask for the same message, by its id or as an answer.
  const found = all.filter(({ session, row }) => {
    const isNew = !session.rows.stored.has(row.id)
    session.rows.stored.set(row.id, { row, amendments: [] })
    return isNew
  })
  const places = found.flatMap(({ session, row }) => segmentsOf(session).map((segment) => ({ session, row, segment })))
  const rows = yield* allEach<AmendmentRow>(
    queries.sql.amendmentsOfMessages,
    places.map(({ segment, row: { seq } }) => {
      const { throughVersion } = segment
      return [...queries.owner(segment), seq, seq, throughVersion, ...queries.owner(segment), seq, throughVersion]
    }),
  )
  for (const [place, { session, row, segment }] of places.entries()) {
    const own = (rows[place] ?? []).toSorted((a, b) => a.version - b.version)
    const shared = segment.key === session.head?.key ? own : inheritedAmendments(own, segment.through)
    const { amendments } = session.rows.stored.get(row.id) ?? { amendments: [] }
    session.rows.stored.set(row.id, { row, amendments: [...amendments, ...shared] })
  }
}

function segmentsOf({ head }: SessionFindings): readonly Segment[] {
  return head?.lineage ?? []
}

/** Which of the names asked for are there. */
function* presentOf(
  text: string,
  changes: Changes,
  namesIn: (questions: Questions) => readonly string[],
  present: Set<string>,
): Program<void> {
  const wanted = changes.flatMap(({ scope, questions }) => namesIn(questions).map((name) => [scope, name] as const))
  const rows = yield* allEach(text, wanted)
  for (const [place, [scope, name]] of wanted.entries())
    if ((rows[place]?.length ?? 0) > 0) present.add(pairKey(scope, name))
}
