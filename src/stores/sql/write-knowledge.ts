import { hash } from 'node:crypto'
import { OPEN_END } from '../../domain/span.ts'
import type { FactRow, KnowledgeWrite } from '../../ports/knowledge-store.ts'
import { addForgotten } from './erase-state.ts'
import { knowledgeStatements as sql } from './knowledge-statements.ts'
import { type Program, type ProgramStep, allEach, change, countRows, together } from './program.ts'

/** Writes a decision. Destroying comes first: what is written beside it must stay. */
export function* writeKnowledge(write: KnowledgeWrite): Program<void> {
  const { root, scope, mark } = write
  const { version } = mark
  const gone = write.forget === undefined ? [] : yield* forgetting(scope, version, write.forget)
  const before = yield* countRows(sql.changesBy, scope, version)
  yield* together([
    ...gone,
    change(sql.insertMark, root, version, scope, mark.at, before + 1),
    ...write.facts.flatMap((row) => [change(sql.endFact, version, scope, row.id), insertFact(row)]),
    ...write.entities.flatMap((row) => [
      change(sql.endEntity, version, scope, row.key),
      change(sql.insertEntity, scope, row.key, row.revision, row.until, row.body),
    ]),
    ...write.droppedEntities.map((key) => change(sql.endEntity, version, scope, key)),
    ...write.names.flatMap(({ name, entity }) => [
      change(sql.endName, version, scope, name),
      ...(entity === null ? [] : [change(sql.insertName, scope, name, version, OPEN_END, entity)]),
    ]),
    ...write.droppedSources.map(({ fact, evidence }) => change(sql.endSource, version, scope, fact, evidence)),
    ...write.sources.map((row) =>
      change(sql.insertSource, scope, row.fact, row.evidence, row.source, version, OPEN_END, row.trust, row.body),
    ),
    ...write.predicates.map(({ name, single }) => change(sql.writePredicate, scope, name, single ? 1 : 0)),
    ...write.proposals.flatMap(({ id, kind, status, createdAt, body, parts }) => [
      change(sql.writeProposal, scope, id, kind, status, createdAt, body),
      ...parts.map((part) => change(sql.insertProposalPart, scope, part, id)),
    ]),
  ])
}

function insertFact(row: FactRow): ProgramStep {
  return change(
    sql.insertFact,
    row.scope,
    row.id,
    row.revision,
    row.until,
    row.recordedAt,
    row.subject,
    row.predicate,
    row.objectKey,
    row.objectEntity,
    row.validFrom,
    row.validTo,
    row.standing,
    row.trust,
    row.learnedAt,
    row.applied,
    row.body,
  )
}

function* forgetting(
  scope: string,
  version: number,
  { facts, entities }: NonNullable<KnowledgeWrite['forget']>,
): Program<readonly ProgramStep[]> {
  // A fact leaves its id. An entity that no fact speaks of leaves a hash, so that `verify` can tell it from a row that somebody deleted.
  if (facts.length === 0)
    for (const key of entities) yield* addForgotten(scope, hash('sha256', JSON.stringify(['entity', scope, key])))
  const proposals = yield* allEach<{ readonly proposal: string }>(
    sql.proposalsWithPart,
    [...facts, ...entities].map((part) => [scope, part]),
  )
  return [
    ...facts.flatMap((id) => [
      change(sql.deleteFact, scope, id),
      change(sql.deleteSources, scope, id),
      change(sql.insertForgotten, scope, version, id),
    ]),
    ...entities.flatMap((key) => [change(sql.deleteEntity, scope, key), change(sql.deleteNames, scope, key)]),
    ...[...new Set(proposals.flat().map(({ proposal }) => proposal))].flatMap((id) => [
      change(sql.deleteProposal, scope, id),
      change(sql.deleteProposalParts, scope, id),
    ]),
  ]
}
