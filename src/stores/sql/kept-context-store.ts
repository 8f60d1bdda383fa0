import type {
  KeptContextHead,
  KeptContextRow,
  KeptContextStore,
  KeptPlace,
  KeptText,
  NewKeptContext,
} from '../../ports/kept-context-store.ts'
import type { Database } from './database.ts'
import { erasureStatements } from './erasure-statements.ts'
import { DAY_MS, keptContextStatements as sql } from './kept-context-statements.ts'
import type { SessionRow } from './lineage.ts'
import { logStatements as log, ownerValues } from './log-statements.ts'
import { type Program, all, allEach, change, changeRows, countRows, one, together } from './program.ts'

/** Sorts after every id. */
const LAST_ID = '~'

type Stored<Row> = Omit<Row, 'borrowed'> & { readonly borrowed: number }

/** Contexts that were built, and what is in them beside the log. */
export function keptContextStore(database: Database): KeptContextStore {
  return {
    keep: (contexts) => {
      const scopes = [...new Set(contexts.map(({ scope }) => scope))]
      return database.write('store contexts', scopes, () => keep(database, contexts))
    },
    list: ({ scope, session }, { since, before = LAST_ID, limit }) =>
      database.read('list contexts', [scope], () =>
        all<KeptContextHead>(sql.list, scope, session, before, since, limit),
      ),
    read: ({ scope, session }, id) =>
      database.read('read a context', [scope], function* () {
        const row = yield* one<Stored<KeptContextRow>>(sql.read, scope, session, id)
        return row === undefined ? undefined : { ...row, borrowed: row.borrowed === 1 }
      }),
    texts: ({ scope, session }, hashes) =>
      database.read('read the texts of a context', [scope], function* () {
        const found = yield* allEach<Stored<KeptText>>(
          sql.text,
          hashes.map((hash) => [scope, session, hash]),
        )
        return found.flat().map((row) => ({ ...row, borrowed: row.borrowed === 1 }))
      }),
    expire: (before) =>
      database.write('delete old contexts', 'every scope', function* () {
        yield* changeRows(sql.expireContexts, before)
        yield* changeRows(sql.expireTexts, before - DAY_MS)
      }),
  }
}

function* keep(database: Database, contexts: readonly NewKeptContext[]): Program<void> {
  const places = new Map<string, KeptPlace>(
    contexts.map(({ scope, session }) => [JSON.stringify([scope, session]), { scope, session }]),
  )
  for (const { scope, session } of places.values()) {
    const { from, through } = yield* soundVersions(database, { scope, session })
    const own = contexts.filter(
      ({ row: { version }, ...of }) =>
        of.scope === scope && of.session === session && version >= from && version <= through,
    )
    const texts = new Map(
      own.flatMap(({ texts: shown, row: { at } }) => shown.map((text) => [text.hash, { ...text, at }])),
    )
    // In one order, so that no two processes wait for each other.
    const inOrder = [...texts.values()].toSorted((a, b) => (a.hash < b.hash ? -1 : 1))
    yield* together([
      ...inOrder.map(({ hash, at, borrowed, body }) =>
        change(sql.addText, scope, session, hash, at, borrowed ? 1 : 0, body),
      ),
      ...own.map(({ row: { id, at, version, borrowed, head, body } }) =>
        change(sql.addContext, scope, session, id, at, version, borrowed ? 1 : 0, head, body),
      ),
    ])
  }
}

/** From the version at which something was last forgotten in a session, through its last; none if the session is gone. */
function* soundVersions(
  { dialect }: Database,
  { scope, session }: KeptPlace,
): Program<{ readonly from: number; readonly through: number }> {
  const row = yield* one<SessionRow>(log.session, scope, session)
  const erasing = erasureStatements(dialect)
  // Whoever forgets something in it waits until this is written, and then deletes it.
  const held = row === undefined ? [] : yield* all(erasing.holdSession, scope, row.key)
  if (row === undefined || held.length === 0) return { from: 0, through: -1 }
  return { from: yield* countRows(erasing.newestForgetting, ...ownerValues(dialect, row)), through: row.version }
}
