import {
  type AmendmentRow,
  type Blob,
  type Bound,
  type ChangedSessions,
  type ChangedSinceQuery,
  LISTED_KEYS_MAX,
  type LogStore,
  type MessageRow,
  type Reached,
  type Segment,
  type SessionHead,
  type SessionNumbers,
  type SessionsNow,
  type SessionsNowQuery,
  type StreamPlace,
} from '../../ports/log-store.ts'
import { piecesPlaces } from '../../domain/pieces-place.ts'
import type { Database } from './database.ts'
import type { SqlDialect } from './dialect.ts'
import { headOf } from './head-of.ts'
import { visibleInside } from './inside-scope.ts'
import { listScopes } from './list-scopes.ts'
import type { SessionRow } from './lineage.ts'
import type { StateRow } from '../../ports/state-store.ts'
import { logReads, ownerValues, logStatements as sql } from './log-statements.ts'
import { stateStatements } from './state-statements.ts'
import { type Program, all, allEach, countRows, inParallel, one, together } from './program.ts'

/** Keys of pieces are digits. */
const LAST_KEY = '~'
const PIECES_MAX = 1_000_000
/** No session has it: keys begin at 1. */
const NO_KEY = 0

/** The reads of the log: rows out. */
export function logReader(database: Database): Omit<LogStore, 'change' | 'subscribe' | 'view'> {
  const { dialect } = database
  const reads = logReads(dialect)
  return {
    session: (scope, name) => database.read('read a session', [scope], () => readHead(scope, name)),
    sessions: (of, { limit, before = Number.MAX_SAFE_INTEGER, changedBefore: at }) =>
      'scope' in of
        ? database.read('list sessions', [of.scope], () =>
            at === undefined
              ? heads(all(sql.sessionsOfScope, of.scope, before, limit))
              : heads(all(sql.sessionsByChange, of.scope, at, at, before, limit)),
          )
        : database.read('list sessions', 'every scope', () => heads(all(sql.sessionsOfAll, before, limit))),
    sessionsNow: (scope, query) =>
      database.read('look at the sessions', [scope], () => sessionsNow(scope, query), 'at once'),
    changedSince: (scope, since) =>
      database.read('look for changed sessions', [scope], () => changedSince(scope, since)),
    scopes: (under, page) => database.read('list scopes', visibleInside(under), () => listScopes(under, page)),
    messages: (query) => {
      const { from, through, limit, newestFirst, systemOnly } = query
      const [up, down] = systemOnly ? [reads.systemUp, reads.systemDown] : [reads.messagesUp, reads.messagesDown]
      return database.read('read messages', [query.scope], () =>
        all<MessageRow>(newestFirst ? down : up, ...ownerValues(dialect, query), from, through, limit),
      )
    },
    message: (session, id) =>
      database.read('read a message', [session.scope], () =>
        one<MessageRow>(reads.messageById, ...ownerValues(dialect, session), id),
      ),
    amendments: (query) =>
      database.read('read amendments', [query.scope], () => {
        const { of, throughVersion } = query
        const owner = ownerValues(dialect, query)
        if (of === 'messages') return readAmendments(dialect, query)
        if (of === 'window') return all<AmendmentRow>(reads.amendmentsOfWindow, ...owner, throughVersion, query.limit)
        if (of === 'clears') return all<AmendmentRow>(reads.clears, ...owner, throughVersion, query.limit)
        return all<AmendmentRow>(reads.amendmentsOfSession, ...owner, query.afterVersion, throughVersion, query.limit)
      }),
    pieces: ({ scope, session }) =>
      database.read('read what was streamed', [scope], () =>
        all<StateRow>(stateStatements.ascending, scope, session, 'piece', '', LAST_KEY, '', PIECES_MAX),
      ),
    streams: (of) =>
      'session' in of
        ? database.read('look for streams', [of.scope], () =>
            all<StreamPlace>(stateStatements.streamsOfSession, of.scope, ...piecesPlaces(of.session)),
          )
        : database.read('look for streams', 'every scope', () =>
            all<StreamPlace>(stateStatements.streamsOfSessions, ...piecesPlaces(''), of.after, of.through),
          ),
    reached: (segments, bound) =>
      database.read(
        'read how far a session had come',
        segments.map(({ scope }) => scope),
        () => reached(dialect, segments, bound),
      ),
    blobs: (scope, hashes) =>
      database.read('read blobs', [scope], function* () {
        const steps = [...new Set(hashes)].map((hash) => ({
          text: sql.blob,
          values: [scope, hash],
          gives: 'rows' as const,
        }))
        return ((yield* together(steps)) as readonly (readonly Blob[])[]).flat()
      }),
  }
}

/** A session with what it sees; `undefined` if there is none. */
function* readHead(scope: string, name: string): Program<SessionHead | undefined> {
  const row = yield* one<SessionRow>(sql.session, scope, name)
  return row === undefined ? undefined : yield* headOf(row)
}

function* changedSince(scope: string, { time, key, keys }: ChangedSinceQuery): Program<ChangedSessions> {
  const listed = Array.from({ length: LISTED_KEYS_MAX }, (_, index) => keys[index] ?? NO_KEY)
  const [sessions, forgotten] = yield* inParallel([
    all<SessionNumbers>(sql.changedSessions, scope, time, key, ...listed),
    countRows(sql.countForgotten, scope),
  ])
  return { sessions, forgotten }
}

function* sessionsNow(scope: string, { floorFor, newest }: SessionsNowQuery): Program<SessionsNow> {
  const last = yield* one<{ readonly at: number | null }>(sql.lastChange, scope)
  const floor = floorFor(last?.at ?? undefined)
  const [changed, created] = yield* inParallel([
    changedSince(scope, { time: floor, key: Number.MAX_SAFE_INTEGER, keys: [] }),
    all<SessionNumbers>(sql.newestSessions, scope, newest),
  ])
  return { ...changed, floor, newest: created }
}

function* heads(rows: Program<readonly SessionRow[]>): Program<readonly SessionHead[]> {
  const found: SessionHead[] = []
  const listed = yield* rows
  const known = new Map(listed.map((row) => [row.key, row]))
  for (const row of listed) found.push(yield* headOf(row, known))
  return found
}

function* reached(dialect: SqlDialect, segments: readonly Segment[], bound: Bound): Program<readonly Reached[]> {
  const reads = logReads(dialect)
  const [ofMessages, ofAmendments, limit] =
    'version' in bound
      ? [reads.lastMessageByVersion, reads.lastAmendmentByVersion, bound.version]
      : [reads.lastMessageByTime, reads.lastAmendmentByTime, bound.recordedAt]
  const [messages, amendments] = yield* inParallel([
    allEach<Reached>(
      ofMessages,
      segments.map((segment) => {
        const owner = ownerValues(dialect, segment)
        return [segment.from, segment.through, limit, limit, ...owner, ...owner]
      }),
    ),
    allEach<Pick<Reached, 'version'>>(
      ofAmendments,
      segments.map((segment) => [...ownerValues(dialect, segment), segment.throughVersion, limit]),
    ),
  ])
  return segments.map((_, index) => {
    const [message] = messages[index] ?? []
    const [amendment] = amendments[index] ?? []
    return {
      seq: message?.seq ?? 0,
      version: Math.max(message?.version ?? 0, amendment?.version ?? 0),
      hole: message?.hole ?? null,
    }
  })
}

/** Those of a session's own that concern messages in a range, oldest first. */
function* readAmendments(
  dialect: SqlDialect,
  query: {
    readonly scope: string
    readonly key: number
    readonly from: number
    readonly through: number
    readonly throughVersion: number
  },
): Program<readonly AmendmentRow[]> {
  const { from, through, throughVersion } = query
  const owner = ownerValues(dialect, query)
  const rows = yield* all<AmendmentRow>(
    logReads(dialect).amendmentsOfMessages,
    ...owner,
    from,
    through,
    throughVersion,
    ...owner,
    through,
    throughVersion,
  )
  return rows.toSorted((a, b) => a.version - b.version)
}
