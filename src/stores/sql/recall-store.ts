import type { RecallKind, RecallLag } from '../../api/recall.ts'
import type { RecallStore, Shelf, Term, Thread } from '../../ports/recall-store.ts'
import { recallKinds } from '../../ports/recall-store.ts'
import type { Database } from './database.ts'
import { around, readPassages } from './passages.ts'
import { PassageCache } from './passage-cache.ts'
import { changeRecall, shelfKey, shelfOf } from './change-recall.ts'
import { type IndexSegment, JOINED, joinSegments, planOf } from './join-segments.ts'
import { lock } from './lock.ts'
import { readHits } from './postings.ts'
import { type Program, inParallel, all, allEach, change, listsEach, together } from './program.ts'
import { keysStatements, recallStatements as sql, recallTables } from './recall-statements.ts'
import { TermKeys } from './term-keys.ts'
import { segmentStatements } from './segment-statements.ts'

/** Names that a question may mention; a scope with more speakers than that is not a conversation. */
const SPEAKERS_MAX = 1_000

/** The word index: rows in, rows out. */
export function recallStore(database: Database): RecallStore {
  const { postingsPerChange } = database.dialect
  return { postingsPerChange, ...readers(database), ...writers(database), ...followers(database) }
}

type Writers = Pick<RecallStore, 'change' | 'tidy' | 'shelf' | 'clear'>
type Followers = Pick<RecallStore, 'scopes' | 'posted'>

function readers(database: Database): Omit<RecallStore, 'postingsPerChange' | keyof Writers | keyof Followers> {
  const { among } = database.dialect
  const keyed = keysStatements(database.dialect)
  const cache = database.dialect.isLocal ? new PassageCache(database.dialect) : undefined
  return {
    unposted: (scopes) =>
      database.read('find what to index', scopes, function* () {
        const found = yield* allEach(
          sql.unposted,
          scopes.map((scope) => [scope, scope]),
        )
        return scopes.filter((_, index) => (found[index]?.length ?? 0) > 0)
      }),
    behind: (scope, limit) => database.read('find what to index', [scope], () => all(sql.behind, scope, limit)),
    lag: (of) => database.read('find what to index', [...new Set([...of.messages, ...of.facts])], () => lagOf(of)),
    forks: (scope, session) =>
      database.read('find what to index', [scope], function* () {
        const rows = yield* all<{ readonly session: string }>(sql.forks, scope, session)
        return rows.map(({ session: name }) => name)
      }),
    threads: (scopes, threads) =>
      database.read('read the index', scopes, function* () {
        const [first] = threads
        if (threads.length === 1) return yield* all<Thread>(sql.thread, first)
        return (yield* allEach<Thread>(keyed.threads, among.values(threads))).flat()
      }),
    shelves: (scopes) => database.read('read the index', scopes, () => shelvesOf(scopes)),
    terms: (scopes, shelves, terms) =>
      database.read('look words up', scopes, function* () {
        const keys = terms.flatMap((term) => shelves.map((shelf) => [shelf, term] as const))
        const found = yield* allEach<Omit<Term, 'term'>>(
          sql.term,
          keys.map(([shelf, term]) => [shelf, JSON.stringify(term)]),
        )
        return keys.flatMap(([, term], index) => found[index]?.map((row) => ({ ...row, term })) ?? [])
      }),
    resembling: (scopes, shelves, parts) =>
      database.read('look words up', scopes, function* () {
        const found = yield* allEach<Term>(
          sql.termsLike,
          shelves.map((shelf) => [shelf, ...parts.map((part) => `%${part}%`)]),
        )
        return found.flat().map((row) => ({ ...row, term: JSON.parse(row.term) as string }))
      }),
    frequencies: (scopes, terms) =>
      database.read('look words up', scopes, function* () {
        const found = yield* listsEach<readonly [number, number]>(keyed.frequencies, among.values(terms))
        const passages = new Map(found.flat())
        return terms.map((key) => passages.get(key) ?? 0)
      }),
    hits: (scopes, terms, limit) => database.read('search the index', scopes, () => readHits(terms, limit)),
    passages: (scopes, of) => database.read('search the index', scopes, () => readPassages(of)),
    around: (scopes, places, reach) =>
      database.read('search the index', scopes, () => cache?.around(places, reach) ?? around(places, reach)),
  }
}

function writers(database: Database): Writers {
  /** Kinds and scopes with many segments. */
  const untidy = new Set<string>()
  const termKeys = database.dialect.counted === undefined ? undefined : new TermKeys()
  return {
    change: async (wanted) => {
      let keep: (() => void) | undefined
      const written = await database.write('index messages', [wanted.scope], () => {
        // What is rolled back with others runs again, and may then find nothing to write.
        keep = undefined
        return changeRecall(database, wanted, {
          termKeys,
          posted: (segments, shelf, fresh) => {
            if (segments >= JOINED) untidy.add(`${wanted.kind} ${wanted.scope}`)
            keep = () => termKeys?.keep(shelf, fresh)
          },
        })
      })
      keep?.()
      return written
    },
    tidy: async (scope, kind) => {
      // Known from the last change: to ask each time would be a way to go for every message.
      if (!untidy.has(`${kind} ${scope}`)) return false
      const shelf = await database.read('read the index', [scope], function* () {
        const key = yield* shelfKey(scope, kind)
        if (key === undefined) return undefined
        return planOf(yield* all<IndexSegment>(segmentStatements.segments, key)) === undefined ? undefined : key
      })
      const more =
        shelf !== undefined &&
        (await database.write('tidy the index', [scope], function* () {
          yield* lock(database, 'recall', scope)
          return yield* joinSegments(shelf)
        }))
      if (!more) untidy.delete(`${kind} ${scope}`)
      return more
    },
    shelf: async (scope, kind) => {
      // Mostly it is there, and nobody has to wait for a write.
      const known = await database.read('read the index', [scope], () => shelfKey(scope, kind))
      return known ?? database.write('index facts', [scope], () => shelfOf(scope, kind))
    },
    clear: () =>
      database.write('clear the index', 'every scope', function* () {
        yield* together(recallTables.map((statement) => change(statement)))
      }),
  }
}

/** For who embeds messages: what there is, in the order of posting. */
function followers(database: Database): Followers {
  return {
    scopes: ({ after, limit }) =>
      database.read('list indexed scopes', 'every scope', function* () {
        const rows = yield* all<{ readonly scope: string }>(sql.scopes, after, recallKinds.message, limit)
        return rows.map(({ scope }) => scope)
      }),
    posted: (scope, { after, limit }) =>
      database.read('read what was indexed', [scope], function* () {
        const shelf = yield* shelfKey(scope, 'message')
        return shelf === undefined ? [] : yield* all(sql.posted, shelf, after, limit)
      }),
  }
}

function* shelvesOf(
  scopes: readonly string[],
): Program<{ readonly shelves: readonly Shelf[]; readonly speakers: readonly string[] }> {
  const [rows, speakers] = yield* inParallel([
    allEach<Omit<Shelf, 'kind'> & { readonly kind: number }>(
      sql.shelves,
      scopes.map((scope) => [scope]),
    ),
    allEach<{ readonly speaker: string }>(
      sql.speakers,
      scopes.flatMap((scope) => Object.values(recallKinds).map((kind) => [scope, kind, SPEAKERS_MAX])),
    ),
  ])
  const shelves = rows.flat().map((row) => ({ ...row, kind: kindOf(row.kind) }))
  const names = speakers.flat().map(({ speaker }) => JSON.parse(speaker) as string)
  return { shelves, speakers: [...new Set(names)] }
}

function kindOf(number: number): RecallKind {
  return number === recallKinds.message ? 'message' : number === recallKinds.fold ? 'fold' : 'fact'
}

function* lagOf(of: Parameters<RecallStore['lag']>[0]): Program<Omit<RecallLag, 'failure'>> {
  const [sessions, facts] = yield* inParallel([
    allEach<Pick<RecallLag, 'sessions' | 'messages'>>(
      sql.messagesBehind,
      of.messages.map((scope) => [scope]),
    ),
    allEach<Pick<RecallLag, 'facts'>>(
      sql.factsBehind,
      of.facts.map((scope) => [scope, scope]),
    ),
  ])
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
  return {
    sessions: sum(sessions.flat().map((row) => row.sessions)),
    messages: sum(sessions.flat().map((row) => row.messages)),
    facts: sum(facts.flat().map((row) => row.facts)),
  }
}
