import type { Erasure } from '../../ports/erasure-store.ts'
import type { Counts } from './erase.ts'
import type { ErasureStatements } from './erasure-statements.ts'
import { knowledgeStatements as knowledge } from './knowledge-statements.ts'
import { type Program, all, allEach, change, runEach, together } from './program.ts'
import { bounds } from './source-bounds.ts'
import { unpostFactRows } from './unpost.ts'

/** What was learned from what goes, as far as nothing else says it. */
export function* eraseKnowledge(
  sql: ErasureStatements,
  { scope, facts, sources, entities }: Erasure,
  counts: Counts,
): Program<void> {
  const left = yield* allEach(
    sql.factLeft,
    facts.map((fact) => [fact.scope, fact.id]),
  )
  const lost = facts.filter((_, index) => left[index]?.length === 0)
  const byScope = Map.groupBy(lost, (fact) => fact.scope)
  for (const [owner, gone] of byScope) {
    const unposted = yield* unpostFactRows(
      sql,
      owner,
      gone.map(({ id }) => id),
    )
    counts.passages += unposted.passages
    counts.terms += unposted.terms
  }
  // Evidence counts as a whole: without one of its sources it says nothing.
  const evidence: Evidence[] = []
  for (const [statement, of] of [
    [sql.evidenceOf, sources.map(bounds).filter(({ length }) => length === 1)],
    [sql.evidenceOfAll, sources.map(bounds).filter(({ length }) => length > 1)],
  ] as const)
    evidence.push(
      ...(yield* allEach<Evidence>(
        statement,
        of.map((values) => [...values, scope, scope, scope]),
      )).flat(),
    )
  counts.sources += yield* runEach(
    sql.deleteEvidence,
    evidence.map((row) => [row.scope, row.fact, row.evidence]),
  )
  yield* eraseEntities(sql, entities, counts)
}

/** Whether the sources have taught something that the plan does not know: somebody learned from them since. */
export function* learnedMore(sql: ErasureStatements, { scope, facts, sources }: Erasure): Program<boolean> {
  const known = new Set(facts.map((fact) => JSON.stringify([fact.scope, fact.id])))
  for (const source of sources) {
    const values = bounds(source)
    const statement = values.length === 1 ? sql.taughtBy : sql.taughtByAll
    for (const fact of yield* all<{ readonly scope: string; readonly id: string }>(
      statement,
      ...values,
      scope,
      scope,
      scope,
    ))
      if (!known.has(JSON.stringify([fact.scope, fact.id]))) return true
  }
  return false
}

function* eraseEntities(sql: ErasureStatements, entities: Erasure['entities'], counts: Counts): Program<void> {
  const spoken = yield* allEach(
    sql.speaksOf,
    entities.map(({ scope, key }) => [scope, scope, scope, key, key]),
  )
  const gone = entities.filter((_, index) => spoken[index]?.length === 0)
  const proposals = yield* allEach<{ readonly proposal: string }>(
    knowledge.proposalsWithPart,
    gone.map(({ scope, key }) => [scope, key]),
  )
  yield* together(
    gone.flatMap(({ scope }, index) =>
      (proposals[index] ?? []).flatMap(({ proposal }) => [
        change(knowledge.deleteProposal, scope, proposal),
        change(knowledge.deleteProposalParts, scope, proposal),
      ]),
    ),
  )
  const deleted = (yield* together(
    gone.map(({ scope, key }) => change(sql.deleteEntity, scope, key)),
  )) as readonly number[]
  counts.entities += deleted.filter((rows) => rows > 0).length
  yield* runEach(
    sql.deleteNames,
    gone.map(({ scope, key }) => [scope, key]),
  )
}

interface Evidence {
  readonly scope: string
  readonly fact: string
  readonly evidence: string
}
