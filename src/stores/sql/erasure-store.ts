import type { ContentPlace, ErasureRow, ErasureStore, LearnedFact } from '../../ports/erasure-store.ts'
import type { SessionHead } from '../../ports/log-store.ts'
import type { Database, VisibleScopes } from './database.ts'
import type { ErasureTools } from './erase.ts'
import { headOf } from './head-of.ts'
import { bounds } from './source-bounds.ts'
import { addForgotten } from './erase-state.ts'
import { erasureStatements } from './erasure-statements.ts'
import { insideScope, visibleInside } from './inside-scope.ts'
import type { SessionRow } from './lineage.ts'
import { logStatements as log, ownerValues } from './log-statements.ts'
import { type Program, all, one, changeRows } from './program.ts'
import { definitions, scopeContents } from './scope-contents.ts'

/** Forgetting, beside the tables of everybody: it is the one thing that must know them all. */
export function erasureStore(
  database: Database,
  own: Pick<ErasureStore, 'scrub' | 'search' | 'makeRoom'>,
): ErasureStore {
  const sql = erasureStatements(database.dialect)
  const tools = { database, sql }
  return {
    family: (scope, session) => database.snapshot('find forks', [scope], () => family(tools, scope, session)),
    taught: (scope, sources) =>
      database.snapshot('find what was learned', andBelow(scope), () => taught(tools, scope, sources)),
    contents: (kind, scope, { after, limit }) =>
      database.read('find what a scope has', visibleInside(scope), () =>
        all<ContentPlace>(scopeContents[kind], after.scope, after.scope, after.name, ...insideScope(scope), limit),
      ),
    eraseDefinitions: (scope, hashOf) =>
      database.write('forget proposals and predicates', andBelow(scope), function* () {
        const proposals = yield* changeRows(definitions.proposals, ...insideScope(scope))
        yield* changeRows(definitions.parts, ...insideScope(scope))
        for (const { scope: owner, name } of yield* all<ContentPlace>(definitions.listed, ...insideScope(scope)))
          yield* addForgotten(owner, hashOf(owner, name))
        yield* changeRows(definitions.predicates, ...insideScope(scope))
        return proposals
      }),
    begin: ({ id, scope, stage, body, at }) =>
      database.write('begin to forget', [scope], function* () {
        yield* changeRows(sql.begin, id, scope, stage, body, at)
      }),
    unfinished: () =>
      database.read('read what is to be forgotten', 'every scope', () => all<ErasureRow>(sql.unfinished)),
    erase: async (erasure) => {
      // Loaded when something is forgotten: it knows every table.
      const { erase } = await import('./erase.ts')
      return database.write('forget', andBelow(erasure.scope), () => erase(tools, erasure))
    },
    blankAnswers: (id) =>
      database.write('forget answers', 'every scope', function* () {
        const blanked = yield* changeRows(sql.blankAnswers)
        yield* changeRows(sql.blankSecrets)
        const begun = yield* one<{ readonly stage: string; readonly body: string }>(sql.stage, id)
        if (begun?.stage === 'answers') {
          const { resealing } = JSON.parse(begun.body) as { readonly resealing?: unknown }
          yield* changeRows(sql.answersGone, resealing === undefined ? 'pages' : 'keys', id)
        }
        return blanked
      }),
    finish: (id) =>
      database.write('finish forgetting', 'every scope', function* () {
        yield* changeRows(sql.finish, id)
      }),
    ...own,
  }
}

/** The own scope first: rows that say by themselves whose they are get it. */
function andBelow(scope: string): VisibleScopes {
  return [scope, `${scope}/`]
}

function* family(
  { database: { dialect }, sql }: ErasureTools,
  scope: string,
  session: string,
): Program<readonly SessionHead[]> {
  const found: SessionHead[] = []
  const names = [session]
  for (let name = names.shift(); name !== undefined; name = names.shift()) {
    const row = yield* one<SessionRow>(log.session, scope, name)
    if (row === undefined) continue
    found.push(yield* headOf(row))
    names.push(
      ...(yield* all<{ readonly name: string }>(sql.forks, ...ownerValues(dialect, row))).map((fork) => fork.name),
    )
  }
  return found
}

function* taught(
  { sql }: ErasureTools,
  scope: string,
  sources: readonly string[],
): Program<{ readonly facts: readonly LearnedFact[]; readonly sources: readonly string[] }> {
  const facts: LearnedFact[] = []
  const seen = new Set<string>()
  const did = new Set<string>()
  const names = [...sources]
  for (let name = names.pop(); name !== undefined; name = names.pop()) {
    const values = bounds(name)
    const statement = values.length === 1 ? sql.taughtBy : sql.taughtByAll
    for (const { source, ...fact } of yield* all<TaughtRow>(statement, ...values, scope, scope, scope)) {
      did.add(source)
      const key = JSON.stringify([fact.scope, fact.id])
      if (seen.has(key)) continue
      seen.add(key)
      // Once for each pair of entities that it ever spoke of.
      for (const spoken of yield* all<Spoken>(sql.entitiesOf, fact.scope, fact.id)) facts.push({ ...fact, ...spoken })
      names.push(`f:${fact.id}`)
    }
  }
  return { facts, sources: [...did].filter((source) => !source.startsWith('f:') || sources.includes(source)) }
}

type TaughtRow = Pick<LearnedFact, 'scope' | 'id'> & { readonly source: string }
type Spoken = Pick<LearnedFact, 'subject' | 'objectEntity'>
