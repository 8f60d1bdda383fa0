import type {
  Answers,
  Asking,
  FactQuery,
  FactRow,
  KnowledgeDecision,
  KnowledgeStore,
  Question,
  Questions,
} from '../../ports/knowledge-store.ts'
import {
  type FactSelector,
  knowledgeStatements as sql,
  selectFacts,
  versionedStatements as versioned,
} from '../sql/knowledge-statements.ts'
import type { Connection } from './connection.ts'
import { answerAll } from './answer-all.ts'
import { patiently } from './patiently.ts'
import { Rows } from './rows.ts'
import { writeKnowledge } from './write-knowledge.ts'
import type { WriteQueue } from './write-queue.ts'

type Answering = { readonly [Of in keyof Questions]: (question: Questions[Of]) => Answers[Of] }

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
      const { answer, write } = this.#think(deciding())
      if (write !== undefined) writeKnowledge(this.#rows, write)
      return answer
    })
  }

  #think<Result>(asking: Asking<Result>): Result {
    return answerAll(asking, (question) => this.#answer(question))
  }

  #answer(question: Question): unknown {
    const answer = this.#answers[question.of] as (question: Question) => unknown
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
  const each = <Item, Row>(items: readonly Item[], read: (item: Item) => readonly Row[]): readonly Row[] =>
    items.flatMap((item) => read(item))
  const pairs = (scopes: readonly string[], keys: readonly string[]): readonly (readonly [string, string])[] =>
    scopes.flatMap((scope) => keys.map((key) => [scope, key] as const))
  const when = (statement: keyof typeof versioned, version: number | undefined): readonly [string, readonly number[]] =>
    version === undefined ? [versioned[statement].now, []] : [versioned[statement].past, [version, version]]
  const byKey = <Row>(statement: 'names' | 'namesOf' | 'entity') => {
    return (scopes: readonly string[], keys: readonly string[], version?: number): readonly Row[] => {
      const [text, versions] = when(statement, version)
      return each(pairs(scopes, keys), ([scope, key]) => rows.all<Row>(text, scope, key, ...versions))
    }
  }
  return {
    mark: ({ root, at, version }) => {
      if (version !== undefined) return rows.one(sql.markByVersion, root, version)
      return at === undefined ? rows.one(sql.newestMark, root) : rows.one(sql.markByTime, root, at)
    },
    facts: (query) => factsOf(rows, query),
    slot: ({ scopes, subjects, predicate, object, endingAfter }) =>
      each(pairs(scopes, subjects), ([scope, subject]) =>
        object === undefined
          ? rows.all<FactRow>(sql.slot, scope, subject, predicate, endingAfter)
          : rows.all<FactRow>(sql.slotOfObject, scope, subject, predicate, object, endingAfter),
      ),
    history: ({ scope, fact }) => rows.all(sql.factVersions, scope, fact),
    sources: ({ facts, version, limit }) => {
      const [text, versions] = when('sources', version)
      const [counting] = when('sourceCount', version)
      return facts.map(({ scope, id }) => {
        const found = rows.all<Answers['sources'][number]['rows'][number]>(text, scope, id, ...versions, limit)
        const count = found.length < limit ? found.length : rows.count(counting, scope, id, ...versions)
        return { fact: id, count, rows: found.toReversed() }
      })
    },
    taught: ({ scope, source }) => rows.all(sql.taught, scope, source),
    names: ({ scopes, names, version }) => byKey<Answers['names'][number]>('names')(scopes, names, version),
    namesOf: ({ scopes, entities, version }) => byKey<Answers['names'][number]>('namesOf')(scopes, entities, version),
    entities: ({ scopes, keys, version }) => byKey<Answers['entities'][number]>('entity')(scopes, keys, version),
    entityPage: ({ scopes, after, limit, version }) => {
      const [text, versions] = when('entityPage', version)
      const found = each(scopes, (scope) =>
        rows.all<Answers['entities'][number]>(text, scope, after, ...versions, limit),
      )
      return found.toSorted((a, b) => (a.key < b.key ? -1 : 1)).slice(0, limit)
    },
    messages: ({ scopes, id }) => each(scopes, (scope) => rows.all(sql.messages, scope, id)),
    predicates: ({ scopes }) =>
      each(scopes, (scope) =>
        rows
          .all<{ scope: string; name: string; single: number }>(sql.predicates, scope)
          .map((row) => ({ ...row, single: row.single === 1 })),
      ),
    proposal: ({ scope, id }) => rows.one(sql.proposal, scope, id),
    proposals: ({ scope, status, after, limit }) =>
      status === undefined
        ? rows.all(sql.proposals, scope, after, limit)
        : rows.all(sql.proposalsOfStatus, scope, after, status, limit),
    changed: ({ scope, after, limit }) => rows.all(sql.changed, scope, after.version, after.id, limit),
    forgotten: ({ scope, after, limit }) => rows.all(sql.forgotten, scope, after.version, after.id, limit),
    everAbout: ({ scope, entities }) => [
      ...new Set(
        each(entities, (key) => rows.all<{ id: string }>(sql.everAbout, scope, key, scope, key)).map(({ id }) => id),
      ),
    ],
    weight: ({ scope, facts, entities }) => ({
      versions: sum(facts.map((id) => rows.count(sql.countVersions, scope, id))),
      sources: sum(facts.map((id) => rows.count(sql.countSources, scope, id))),
      entities: sum(entities.map((key) => rows.count(sql.countEntity, scope, key))),
      proposals: new Set(
        each([...facts, ...entities], (part) => rows.all<{ proposal: string }>(sql.proposalsWithPart, scope, part)).map(
          ({ proposal }) => proposal,
        ),
      ).size,
    }),
  }
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

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0)
}
