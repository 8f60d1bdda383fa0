import type {
  KeptContextHead,
  KeptContextRow,
  KeptContextStore,
  KeptPlace,
  KeptText,
  NewKeptContext,
} from '../../ports/kept-context-store.ts'
import { rootOf, scopeChain } from '../../domain/scope-path.ts'
import type { Database } from './database.ts'
import { erasureStatements } from './erasure-statements.ts'
import { DAY_MS, EXPIRED_AT_ONCE, keptContextStatements as sql } from './kept-context-statements.ts'
import type { SessionRow } from './lineage.ts'
import { lock } from './lock.ts'
import { logStatements as log, ownerValues } from './log-statements.ts'
import {
  type Program,
  type ProgramStep,
  all,
  allEach,
  change,
  changeRows,
  countRows,
  one,
  together,
} from './program.ts'

/** Sorts after every id. */
const LAST_ID = '~'

type Stored<Row> = Omit<Row, 'borrowed'> & { readonly borrowed: number }

/** Contexts that were built, and what is in them beside the log. */
export function keptContextStore(database: Database): KeptContextStore {
  return {
    forgettings: (scope) => database.read('read what was forgotten', scopeChain(scope), () => forgettingsAbove(scope)),
    keep: (contexts) => {
      const scopes = [...new Set(contexts.flatMap(({ scope }) => scopeChain(scope)))]
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
        const contexts = yield* changeRows(sql.expireContexts, before)
        const texts = yield* changeRows(sql.expireTexts, before - DAY_MS)
        return contexts === EXPIRED_AT_ONCE || texts === EXPIRED_AT_ONCE
      }),
  }
}

/** The last forgetting of the scope and of each ancestor: a row without a session and without a hash says which it was. */
function* forgettingsAbove(scope: string): Program<string> {
  const found = yield* allEach<KeptText>(
    sql.text,
    scopeChain(scope).map((each) => [each, '', '']),
  )
  return JSON.stringify(found.map(([row]) => row?.body ?? ''))
}

/** Those that show nothing that was forgotten in a scope since they were begun. Until the transaction ends, nothing is forgotten. */
function* sound(
  database: Database,
  contexts: readonly NewKeptContext[],
): Program<{ readonly kept: readonly NewKeptContext[]; readonly stale: readonly string[] }> {
  const scopes = [...new Set(contexts.flatMap(({ scope, row }) => (row.borrowed ? [scope] : [])))]
  for (const root of [...new Set(scopes.map(rootOf))].toSorted()) yield* lock(database, 'contexts', root)
  const now = new Map<string, string>()
  for (const scope of scopes) now.set(scope, yield* forgettingsAbove(scope))
  const isSound = ({ scope, row, forgettings }: NewKeptContext): boolean =>
    !row.borrowed || forgettings === now.get(scope)
  const stale = contexts.filter((each) => !isSound(each)).map(({ scope }) => scope)
  return { kept: contexts.filter(isSound), stale: [...new Set(stale)] }
}

function* keep(database: Database, given: readonly NewKeptContext[]): Program<readonly string[]> {
  const { dialect } = database
  const erasing = erasureStatements(dialect)
  const { kept: contexts, stale } = yield* sound(database, given)
  const places = new Map<string, KeptPlace>(
    contexts.map(({ scope, session }) => [JSON.stringify([scope, session]), { scope, session }]),
  )
  const rows: SessionRow[] = []
  for (const { scope, session } of places.values()) rows.push(...(yield* all<SessionRow>(log.session, scope, session)))
  // In one order, so that no two processes wait for each other.
  for (const { scope, key } of rows.toSorted((a, b) => a.key - b.key)) {
    // Whoever forgets something in it waits until this is written, and then deletes it.
    if ((yield* all(erasing.holdSession, scope, key)).length === 0) continue
    const forgotten = yield* countRows(erasing.newestForgetting, ...ownerValues(dialect, { scope, key }))
    // A session that was begun again under the same name has another key.
    yield* together(additions(contexts.filter((each) => each.key === key && each.row.version >= forgotten)))
  }
  return stale
}

function additions(contexts: readonly NewKeptContext[]): readonly ProgramStep[] {
  const texts = new Map(
    contexts.flatMap(({ texts: shown, row: { at }, scope, session }) =>
      shown.map((text) => [text.hash, { ...text, at, scope, session }]),
    ),
  )
  return [
    ...[...texts.values()]
      .toSorted((a, b) => (a.hash < b.hash ? -1 : 1))
      .map(({ scope, session, hash, at, borrowed, body }) =>
        change(sql.addText, scope, session, hash, at, borrowed ? 1 : 0, body),
      ),
    ...contexts.map(({ scope, session, row: { id, at, version, borrowed, head, body } }) =>
      change(sql.addContext, scope, session, id, at, version, borrowed ? 1 : 0, head, body),
    ),
  ]
}
