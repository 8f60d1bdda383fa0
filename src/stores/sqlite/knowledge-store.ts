import type {
  KnowledgeAnswers,
  Asking,
  EntityRow,
  FactQuery,
  FactRow,
  KnowledgeDecision,
  KnowledgeStore,
  PredicateRow,
  KnowledgeQuestion,
  KnowledgeQuestions,
  SourceRow,
} from '../../ports/knowledge-store.ts'
import {
  type FactSelector,
  knowledgeStatements as sql,
  selectFacts,
  versionedStatements as versioned,
} from '../sql/knowledge-statements.ts'
import { learnStatements as learn } from '../sql/learn-statements.ts'
import type { Connection } from './connection.ts'
import { answerAll } from './answer-all.ts'
import { patiently } from './patiently.ts'
import { Rows } from './rows.ts'
import { writeKnowledge } from './write-knowledge.ts'
import type { WriteQueue } from './write-queue.ts'

type Answering = {
  readonly [Of in keyof KnowledgeQuestions]: (question: KnowledgeQuestions[Of]) => KnowledgeAnswers[Of]
}

/** What is known, in an SQLite file: rows in, rows out. */
export class SqliteKnowledgeStore implements KnowledgeStore {
  readonly #connection: Connection
  readonly #queue: WriteQueue
  readonly #rows: Rows
  readonly #answers: Answering

  constructor(connection: Connection, queue: WriteQueue) {
    this.#connection = connection
    this.#queue = queue
    this.#rows = new Rows(connection)
    this.#answers = answering(this.#rows)
  }

  read<Answer>(asking: () => Asking<Answer>): Promise<Answer> {
    return patiently(
      'read what is known',
      () => this.#snapshot(() => this.#think(asking())),
      (error) => this.#connection.noticeFailure(error),
    )
  }

  change<Answer>(deciding: () => Asking<KnowledgeDecision<Answer>>): Promise<Answer> {
    return this.#queue.write('write what is known', () => {
      const { answer, write, below = [], learned } = this.#think(deciding())
      for (const one of write === undefined ? below : [write, ...below]) writeKnowledge(this.#rows, one)
      if (learned !== undefined) this.#rows.run(learn.moveCursor, learned.session, learned.to.version, learned.to.seq)
      return answer
    })
  }

  #think<Result>(asking: Asking<Result>): Result {
    return answerAll(asking, (question) => this.#answer(question))
  }

  #answer(question: KnowledgeQuestion): unknown {
    const answer = this.#answers[question.of] as (question: KnowledgeQuestion) => unknown
    return answer(question)
  }

  /** Other processes write when they like: only a transaction makes several reads agree. */
  #snapshot<Result>(run: () => Result): Result {
    this.#rows.run('BEGIN')
    try {
      return run()
    } finally {
      // After a disk failure the handle is gone, and the transaction with it.
      const database = this.#connection.database()
      if (database.inTransaction) database.exec('COMMIT')
    }
  }
}

function answering(rows: Rows): Answering {
  return { ...factAnswers(rows), ...entityAnswers(rows), ...supportAnswers(rows), ...forgetAnswers(rows) }
}

type FactAnswers = Pick<
  Answering,
  'mark' | 'facts' | 'slot' | 'history' | 'sources' | 'taught' | 'taughtBelow' | 'disputedBelow'
>

function factAnswers(rows: Rows): FactAnswers {
  const below = (statement: string, scope: string, key: string): readonly string[] =>
    rows.all<{ readonly scope: string }>(statement, scope, scope, key).map((row) => row.scope)
  return {
    mark: ({ root, at, version }) => {
      if (version !== undefined) return rows.one(sql.markByVersion, root, version)
      return at === undefined ? rows.one(sql.newestMark, root) : rows.one(sql.markByTime, root, at)
    },
    facts: (query) => factsOf(rows, query),
    slot: ({ scopes, subjects, predicate, object, endingAfter, limit = Number.MAX_SAFE_INTEGER }) =>
      pairs(scopes, subjects).flatMap(([scope, subject]) =>
        object === undefined
          ? rows.all<FactRow>(sql.slot, scope, subject, predicate, endingAfter)
          : rows.all<FactRow>(sql.slotOfObject, scope, subject, predicate, object, endingAfter, limit),
      ),
    history: ({ scope, fact, limit }) => rows.all<FactRow>(sql.factVersions, scope, fact, limit).toReversed(),
    sources: ({ facts, version, limit }) => {
      const [text, versions] = statementAt('sources', version)
      const [counting] = statementAt('sourceCount', version)
      return facts.map(({ scope, id }) => {
        const found = rows.all<SourceRow>(text, scope, id, ...versions, limit)
        const count = found.length < limit ? found.length : rows.count(counting, scope, id, ...versions)
        return { fact: id, count, rows: found.toReversed() }
      })
    },
    taught: ({ scope, source }) => rows.all(sql.taught, scope, source),
    taughtBelow: ({ scope, source }) => below(sql.taughtBelow, scope, source),
    disputedBelow: ({ scope, predicate }) => below(sql.disputedBelow, scope, predicate),
  }
}

type EntityAnswers = Pick<Answering, 'names' | 'namesOf' | 'entities' | 'entityPage'>

function entityAnswers(rows: Rows): EntityAnswers {
  const byKey = <Row>(statement: 'names' | 'namesOf' | 'entity', keys: Keys): readonly Row[] => {
    const [text, versions] = statementAt(statement, keys.version)
    return pairs(keys.scopes, keys.keys).flatMap(([scope, key]) => rows.all<Row>(text, scope, key, ...versions))
  }
  return {
    names: ({ names, ...rest }) => byKey('names', { ...rest, keys: names }),
    namesOf: ({ entities, ...rest }) => byKey('namesOf', { ...rest, keys: entities }),
    entities: (question) => byKey('entity', question),
    entityPage: ({ scopes, after, limit, version }) => {
      const [text, versions] = statementAt('entityPage', version)
      return scopes
        .flatMap((scope) => rows.all<EntityRow>(text, scope, after, ...versions, limit))
        .toSorted((a, b) => (a.key < b.key ? -1 : 1))
        .slice(0, limit)
    },
  }
}

interface Keys {
  readonly scopes: readonly string[]
  readonly keys: readonly string[]
  readonly version?: number
}

type SupportAnswers = Pick<
  Answering,
  'messages' | 'predicates' | 'learned' | 'proposal' | 'proposals' | 'changed' | 'forgotten'
>

function supportAnswers(rows: Rows): SupportAnswers {
  return {
    messages: ({ scopes, id }) => scopes.flatMap((scope) => rows.all(sql.messages, scope, id)),
    predicates: ({ scopes }) =>
      scopes.flatMap((scope) =>
        rows
          .all<Omit<PredicateRow, 'single'> & { readonly single: number }>(sql.predicates, scope)
          .map((row) => ({ ...row, single: row.single === 1 })),
      ),
    learned: ({ session }) => rows.one(learn.cursor, session) ?? { version: 0, seq: 0 },
    proposal: ({ scope, id }) => rows.one(sql.proposal, scope, id),
    proposals: ({ scope, status, after, limit }) =>
      status === undefined
        ? rows.all(sql.proposals, scope, after, limit)
        : rows.all(sql.proposalsOfStatus, scope, after, status, limit),
    changed: ({ scope, after, limit }) => rows.all(sql.changed, scope, after.version, after.id, limit),
    forgotten: ({ scope, after, limit }) => rows.all(sql.forgotten, scope, after.version, after.id, limit),
  }
}

function forgetAnswers(rows: Rows): Pick<Answering, 'everAbout' | 'weight'> {
  const sum = (statement: string, scope: string, keys: readonly string[]): number =>
    keys.reduce((total, key) => total + rows.count(statement, scope, key), 0)
  return {
    everAbout: ({ scope, entities }) => {
      const found = entities.flatMap((key) => rows.all<{ readonly id: string }>(sql.everAbout, scope, key, scope, key))
      return [...new Set(found.map(({ id }) => id))]
    },
    weight: ({ scope, facts, entities }) => ({
      versions: sum(sql.countVersions, scope, facts),
      sources: sum(sql.countSources, scope, facts),
      entities: sum(sql.countEntity, scope, entities),
      proposals: new Set(
        [...facts, ...entities]
          .flatMap((part) => rows.all<{ readonly proposal: string }>(sql.proposalsWithPart, scope, part))
          .map(({ proposal }) => proposal),
      ).size,
    }),
  }
}

function pairs(scopes: readonly string[], keys: readonly string[]): readonly (readonly [string, string])[] {
  return scopes.flatMap((scope) => keys.map((key) => [scope, key] as const))
}

/** The statement for now or for a version, and what it takes at its end. */
function statementAt(name: keyof typeof versioned, version: number | undefined): readonly [string, readonly number[]] {
  return version === undefined ? [versioned[name].now, []] : [versioned[name].past, [version, version]]
}

/** One index walk for each scope and key; each gives at most the limit, so that together they give the first of all. */
function factsOf(rows: Rows, { scopes, by, version, where, after = '', limit }: FactQuery): readonly FactRow[] {
  const [selector, keys] = selection(by)
  const statement = selectFacts(selector, version === undefined ? 'now' : 'past')
  const rest = [
    ...(version === undefined ? [] : [version, version]),
    ...where.standing,
    ...where.trust,
    ...where.valid,
    after,
    limit,
  ]
  const lists = scopes.flatMap((scope) => keys.map((key) => rows.all<FactRow>(statement, scope, ...key, ...rest)))
  if (lists.length === 1) return lists[0] ?? []
  return lists
    .flat()
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
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
