import { OPEN_END } from '../../domain/span.ts'
import type { FactRow, KnowledgeWrite } from '../../ports/knowledge-store.ts'
import { knowledgeStatements as sql } from '../sql/knowledge-statements.ts'
import type { Rows } from './rows.ts'

/** Writes a decision. Destroying comes first: what is written beside it must stay. */
export function writeKnowledge(rows: Rows, write: KnowledgeWrite): void {
  const { root, scope, mark } = write
  const { version } = mark
  if (write.forget !== undefined) forget(rows, scope, version, write.forget)
  rows.run(sql.insertMark, root, version, scope, mark.at)
  for (const row of write.facts) {
    rows.run(sql.endFact, version, scope, row.id)
    insertFact(rows, row)
  }
  for (const row of write.entities) {
    rows.run(sql.endEntity, version, scope, row.key)
    rows.run(sql.insertEntity, scope, row.key, row.revision, row.until, row.body)
  }
  for (const key of write.droppedEntities) rows.run(sql.endEntity, version, scope, key)
  for (const { name, entity } of write.names) {
    rows.run(sql.endName, version, scope, name)
    if (entity !== null) rows.run(sql.insertName, scope, name, version, OPEN_END, entity)
  }
  for (const { fact, evidence } of write.droppedSources) rows.run(sql.endSource, version, scope, fact, evidence)
  for (const row of write.sources)
    rows.run(sql.insertSource, scope, row.fact, row.evidence, row.source, version, OPEN_END, row.trust, row.body)
  for (const { name, single } of write.predicates) rows.run(sql.writePredicate, scope, name, single ? 1 : 0)
  for (const { id, kind, status, createdAt, body, parts } of write.proposals) {
    rows.run(sql.writeProposal, scope, id, kind, status, createdAt, body)
    for (const part of parts) rows.run(sql.insertProposalPart, scope, part, id)
  }
}

function insertFact(rows: Rows, row: FactRow): void {
  rows.run(
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

function forget(rows: Rows, scope: string, version: number, what: NonNullable<KnowledgeWrite['forget']>): void {
  for (const id of what.facts) {
    rows.run(sql.deleteFact, scope, id)
    rows.run(sql.deleteSources, scope, id)
    rows.run(sql.insertForgotten, scope, version, id)
  }
  for (const key of what.entities) {
    rows.run(sql.deleteEntity, scope, key)
    rows.run(sql.deleteNames, scope, key)
  }
  for (const part of [...what.facts, ...what.entities]) {
    for (const { proposal } of rows.all<{ readonly proposal: string }>(sql.proposalsWithPart, scope, part)) {
      rows.run(sql.deleteProposal, scope, proposal)
      rows.run(sql.deleteProposalParts, scope, proposal)
    }
  }
}
