import type {
  EntityRow,
  FactQuery,
  FactRow,
  KnowledgeAnswers,
  KnowledgeQuestions,
  NameRow,
  PredicateRow,
  SourceRow,
} from '../../ports/knowledge-store.ts'
import type { SqlDialect } from './dialect.ts'
import { bounds } from './source-bounds.ts'
import {
  type FactSelector,
  knowledgeStatements as sql,
  messagesOfId,
  selectFacts,
  versionedStatements as versioned,
} from './knowledge-statements.ts'
import { learnStatements as learn } from './learn-statements.ts'
import { type Program, all, allEach, one } from './program.ts'
import { changeCounts, nthChange } from './scope-changes.ts'

export type KnowledgeAnswering = {
  readonly [Of in keyof KnowledgeQuestions]: (question: KnowledgeQuestions[Of]) => Program<KnowledgeAnswers[Of]>
}

type FactAnswers = Pick<
  KnowledgeAnswering,
  | 'mark'
  | 'nthMark'
  | 'changeCounts'
  | 'facts'
  | 'slot'
  | 'history'
  | 'sources'
  | 'taught'
  | 'taughtBelow'
  | 'disputedBelow'
>

const factAnswers: FactAnswers = {
  mark: ({ root, at }) => (at === undefined ? one(sql.newestMark, root) : one(sql.markByTime, root, at)),
  nthMark: ({ scopes, nth }) => nthChange(scopes, nth),
  changeCounts: ({ scopes, versions }) => changeCounts(scopes, versions),
  facts: factsOf,
  *slot({ scopes, subjects, predicate, object, endingAfter, limit = Number.MAX_SAFE_INTEGER }) {
    const [text, ...rest] =
      object === undefined
        ? ([sql.slot, predicate, endingAfter] as const)
        : ([sql.slotOfObject, predicate, object, endingAfter, limit] as const)
    const found = yield* allEach<FactRow>(
      text,
      pairs(scopes, subjects).map((pair) => [...pair, ...rest]),
    )
    return found.flat()
  },
  *history({ scope, fact, limit }) {
    return (yield* all<FactRow>(sql.factVersions, scope, fact, limit)).toReversed()
  },
  *sources({ facts, version, limit }) {
    const [text, versions] = statementAt('sources', version)
    const [counting] = statementAt('sourceCount', version)
    const keys = facts.map(({ scope, id }) => [scope, id, ...versions])
    const found = yield* allEach<SourceRow>(
      text,
      keys.map((key) => [...key, limit]),
    )
    // Only those that fill the page may have more than it shows.
    const full = keys.filter((_, index) => found[index]?.length === limit)
    const counts = (yield* allEach<{ readonly count: number }>(counting, full)).map(([row]) => row?.count ?? 0)
    return facts.map(({ id }, index) => {
      const rows = found[index] ?? []
      return { fact: id, count: rows.length < limit ? rows.length : (counts.shift() ?? 0), rows: rows.toReversed() }
    })
  },
  taught: ({ scope, source }) => {
    const within = bounds(source)
    return all(within.length === 1 ? sql.taught : sql.taughtWithin, scope, ...within)
  },
  taughtBelow: ({ scope, source }) => below(sql.taughtBelow, scope, source),
  disputedBelow: ({ scope, predicate }) => below(sql.disputedBelow, scope, predicate),
}

function* below(statement: string, scope: string, key: string): Program<readonly string[]> {
  return (yield* all<{ readonly scope: string }>(statement, scope, scope, key)).map((row) => row.scope)
}

type EntityAnswers = Pick<KnowledgeAnswering, 'names' | 'namesOf' | 'entities' | 'entityPage'>

const entityAnswers: EntityAnswers = {
  names: ({ names, ...rest }) => byKey<NameRow>('names', { ...rest, keys: names }),
  namesOf: ({ entities, ...rest }) => byKey<NameRow>('namesOf', { ...rest, keys: entities }),
  entities: (question) => byKey<EntityRow>('entity', question),
  *entityPage({ scopes, after, limit, version }) {
    const [text, versions] = statementAt('entityPage', version)
    const found = yield* allEach<EntityRow>(
      text,
      scopes.map((scope) => [scope, after, ...versions, limit]),
    )
    return found
      .flat()
      .toSorted((a, b) => (a.key < b.key ? -1 : 1))
      .slice(0, limit)
  },
}

interface Keys {
  readonly scopes: readonly string[]
  readonly keys: readonly string[]
  readonly version?: number
}

function* byKey<Row>(statement: 'names' | 'namesOf' | 'entity', keys: Keys): Program<readonly Row[]> {
  const [text, versions] = statementAt(statement, keys.version)
  const found = yield* allEach<Row>(
    text,
    pairs(keys.scopes, keys.keys).map((pair) => [...pair, ...versions]),
  )
  return found.flat()
}

type SupportAnswers = Pick<
  KnowledgeAnswering,
  'predicates' | 'learned' | 'proposal' | 'proposals' | 'changed' | 'forgotten'
>

const supportAnswers: SupportAnswers = {
  *predicates({ scopes }) {
    const found = yield* allEach<Omit<PredicateRow, 'single'> & { readonly single: number }>(
      sql.predicates,
      scopes.map((scope) => [scope]),
    )
    return found.flat().map((row) => ({ ...row, single: row.single === 1 }))
  },
  *learned({ session }) {
    return (yield* one<KnowledgeAnswers['learned']>(learn.cursor, session)) ?? { version: 0, seq: 0 }
  },
  proposal: ({ scope, id }) => one(sql.proposal, scope, id),
  proposals: ({ scope, status, after, limit }) =>
    status === undefined
      ? all(sql.proposals, scope, after, limit)
      : all(sql.proposalsOfStatus, scope, after, status, limit),
  changed: ({ scope, after, limit }) => all(sql.changed, scope, after.version, after.id, limit),
  forgotten: ({ scope, after, limit }) => all(sql.forgotten, scope, after.version, after.id, limit),
}

const forgetAnswers: Pick<KnowledgeAnswering, 'everAbout' | 'weight'> = {
  *everAbout({ scope, entities }) {
    const found = yield* allEach<{ readonly id: string }>(
      sql.everAbout,
      entities.map((key) => [scope, key, scope, key]),
    )
    return [...new Set(found.flat().map(({ id }) => id))]
  },
  *weight({ scope, facts, entities }) {
    const parts = yield* allEach<{ readonly proposal: string }>(
      sql.proposalsWithPart,
      [...facts, ...entities].map((part) => [scope, part]),
    )
    return {
      versions: yield* sum(sql.countVersions, scope, facts),
      sources: yield* sum(sql.countSources, scope, facts),
      entities: yield* sum(sql.countEntity, scope, entities),
      proposals: new Set(parts.flat().map(({ proposal }) => proposal)).size,
    }
  },
}

function* sum(statement: string, scope: string, keys: readonly string[]): Program<number> {
  const counts = yield* allEach<{ readonly count: number }>(
    statement,
    keys.map((key) => [scope, key]),
  )
  return counts.reduce((total, [row]) => total + (row?.count ?? 0), 0)
}

/** How each question is answered. */
export function answering(dialect: SqlDialect): KnowledgeAnswering {
  const messages = messagesOfId(dialect)
  return {
    ...factAnswers,
    ...entityAnswers,
    ...supportAnswers,
    ...forgetAnswers,
    messages: ({ scopes, id }) => messagesIn(messages, scopes, id),
  }
}

function* messagesIn(statement: string, scopes: readonly string[], id: string): Program<KnowledgeAnswers['messages']> {
  const found = yield* allEach<KnowledgeAnswers['messages'][number]>(
    statement,
    scopes.map((scope) => [scope, id]),
  )
  return found.flat()
}

function pairs(scopes: readonly string[], keys: readonly string[]): readonly (readonly [string, string])[] {
  return scopes.flatMap((scope) => keys.map((key) => [scope, key] as const))
}

/** The statement for now or for a version, and what it takes at its end. */
function statementAt(name: keyof typeof versioned, version: number | undefined): readonly [string, readonly number[]] {
  return version === undefined ? [versioned[name].now, []] : [versioned[name].past, [version, version]]
}

/** Greater than every id. */
const LAST_ID = '\u{10ffff}'

/** One index walk for each scope and key; each gives at most the limit, so that together they give the first of all. */
function* factsOf(query: FactQuery): Program<readonly FactRow[]> {
  const { scopes, by, version, where, newestFirst = false, after = newestFirst ? LAST_ID : '', limit } = query
  const [selector, keys] = selection(by)
  const rest = [
    ...(version === undefined ? [] : [version, version]),
    ...where.standing,
    ...where.trust,
    ...where.valid,
    after,
    limit,
  ]
  const lists = yield* allEach<FactRow>(
    selectFacts(selector, version === undefined ? 'now' : 'past', newestFirst),
    scopes.flatMap((scope) => keys.map((key) => [scope, ...key, ...rest])),
  )
  if (lists.length === 1) return lists[0] ?? []
  return lists
    .flat()
    .toSorted((a, b) => (a.id < b.id !== newestFirst ? -1 : 1))
    .slice(0, limit)
}

function selection(by: FactQuery['by']): readonly [FactSelector, readonly (readonly string[])[]] {
  if ('ids' in by) return ['id', by.ids.map((id) => [id])]
  if ('entities' in by) return ['entity', by.entities.map((key) => [key])]
  if ('objects' in by) return ['object', by.objects.map((key) => [key])]
  if ('all' in by) return ['all', [[]]]
  if (!('subjects' in by)) return ['predicate', [[by.predicate]]]
  const { subjects, predicate } = by
  return predicate === undefined
    ? ['subject', subjects.map((key) => [key])]
    : ['subjectAndPredicate', subjects.map((key) => [key, predicate])]
}
