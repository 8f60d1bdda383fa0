import { MARK } from '../../domain/sealed.ts'
import type {
  ResealStore,
  Resealed,
  SealedContent,
  SealedKind,
  SealedPage,
  SessionPlace,
} from '../../ports/reseal-store.ts'
import type { Database } from './database.ts'
import { erasureStatements } from './erasure-statements.ts'
import { logWrites, ownerValues } from './log-statements.ts'
import { type Program, all, allEach, change, one, changeRows, runEach, together } from './program.ts'
import { type ResealStatements, resealStatements } from './reseal-statements.ts'

interface ResealTools {
  readonly database: Database
  readonly sql: ResealStatements
}

/** Content that is sealed again, beside the tables of the log: where that is, is known here. */
export function resealStore(database: Database): ResealStore {
  const tools = { database, sql: resealStatements(database.dialect) }
  const { sql } = tools
  const { deleteBlob } = erasureStatements(database.dialect)
  return {
    turn: (session, description, orders) =>
      database.write('give a session another key', [session.scope], function* () {
        if (!(yield* isDescribed(tools, session, description.from))) return false
        const found = yield* allEach<{ readonly body: string }>(
          sql.holdOrder,
          orders.map(({ id }) => [id, session.scope]),
        )
        if (!orders.every(({ from }, index) => found[index]?.[0]?.body === from)) return false
        yield* together([
          change(sql.describe, JSON.stringify(description.to), session.scope, session.key),
          ...orders.map(({ id, to }) => change(sql.noteOrder, to, id, session.scope)),
        ])
        return true
      }),
    rows: (session, kind, page) =>
      database.read('read what is to be encrypted again', [session.scope], () => rows(tools, session, kind, page)),
    replace: (session, description, resealed) =>
      database.write('encrypt again', [session.scope], function* () {
        if (!(yield* isDescribed(tools, session, description))) return false
        yield* replace(tools, session, resealed)
        return true
      }),
    needs: (session, { text, bytes }) =>
      database.read('look for what needs a key', [session.scope], function* () {
        const owner = ownerValues(database.dialect, session)
        const found = yield* together([
          { text: sql.needsMessage, values: [...owner, text], gives: 'rows' },
          { text: sql.needsAmendment, values: [...owner, text], gives: 'rows' },
          { text: sql.needsOperation, values: [...owner, MARK, bytes], gives: 'rows' },
        ])
        return (found as readonly (readonly unknown[])[]).some((each) => each.length > 0)
      }),
    dropBlobs: (scope, beginning, limit) =>
      database.write('delete blobs', [scope], function* () {
        const hashes = yield* all<{ readonly hash: string }>(sql.blobs, scope, beginning, limit)
        return yield* runEach(
          deleteBlob,
          hashes.map(({ hash }) => [scope, hash]),
        )
      }),
    keysGone: (scope, id, body) =>
      database.write('continue forgetting', [scope], function* () {
        yield* changeRows(sql.keysGone, body, id, scope)
      }),
  }
}

/** Holds the session until the end of the transaction. */
function* isDescribed({ sql }: ResealTools, { scope, name, key }: SessionPlace, description: string): Program<boolean> {
  const found = yield* one<{ readonly description: string; readonly name: string }>(sql.holdSession, scope, key)
  return found?.name === name && found.description === JSON.stringify(description)
}

function rows(
  { database: { dialect }, sql }: ResealTools,
  session: SessionPlace,
  kind: SealedKind,
  { but, after, limit }: SealedPage,
): Program<readonly SealedContent[]> {
  const marks = kind === 'operation' ? [MARK, but] : [but]
  return all<SealedContent>(sql[kind], ...ownerValues(dialect, session), after, ...marks, limit)
}

const replacing = { message: 'replaceMessage', amendment: 'replaceAmendment', operation: 'replaceOperation' } as const

function* replace(
  { database: { dialect }, sql }: ResealTools,
  session: SessionPlace,
  { kind, rows: resealed, blobs }: Resealed,
): Program<void> {
  const owner = ownerValues(dialect, session)
  yield* runEach(
    logWrites(dialect).insertBlob,
    blobs.map(({ hash, bytes }) => [session.scope, hash, bytes]),
  )
  yield* runEach(
    sql[replacing[kind]],
    resealed.map(({ place, from, to }) => [to, ...owner, place, from]),
  )
}
