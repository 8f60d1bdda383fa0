import type { SqlDialect } from '../dialect.ts'
import type { Migration } from '../migration.ts'

/** Marks a row that is known now. A literal, so that the partial indexes of what is known now are used. */
export const STILL_KNOWN = '9000000000000000'

/** Facts in versions, their sources, entities and their names, predicates, proposals. */
export const knowledge: Migration = {
  number: 3,
  name: 'knowledge',
  statements: (dialect) => [...facts(dialect), ...entities(dialect), ...support(dialect)],
}

function facts({ integer, text, clustered }: SqlDialect): readonly string[] {
  return [
    `CREATE TABLE knowledge_versions (
      root ${text} NOT NULL,
      version ${integer} NOT NULL,
      scope ${text} NOT NULL,
      at ${integer} NOT NULL,
      PRIMARY KEY (root, version)
    )${clustered}`,
    `CREATE INDEX knowledge_versions_by_time ON knowledge_versions (root, at, version)`,
    `CREATE TABLE facts (
      scope ${text} NOT NULL,
      id ${text} NOT NULL,
      revision ${integer} NOT NULL,
      until ${integer} NOT NULL,
      recorded_at ${integer} NOT NULL,
      subject ${text} NOT NULL,
      predicate ${text} NOT NULL,
      object_key ${text} NOT NULL,
      object_entity ${text},
      valid_from ${integer} NOT NULL,
      valid_to ${integer} NOT NULL,
      standing ${text} NOT NULL,
      trust ${integer} NOT NULL,
      learned_at ${integer} NOT NULL,
      applied ${integer} NOT NULL,
      body ${text} NOT NULL,
      PRIMARY KEY (scope, id, revision)
    )`,
    `CREATE INDEX facts_by_subject ON facts (scope, subject, id)`,
    `CREATE INDEX facts_by_entity ON facts (scope, object_entity, id) WHERE object_entity IS NOT NULL`,
    `CREATE INDEX facts_by_predicate ON facts (scope, predicate, id)`,
    `CREATE INDEX facts_by_object ON facts (scope, object_key, id)`,
    `CREATE INDEX facts_by_revision ON facts (scope, revision, id)`,
    // Ends with the end of validity: a predicate that changed ten thousand times has ten thousand closed values to pass over.
    `CREATE INDEX facts_now_slot ON facts (scope, subject, predicate, object_key, valid_to) WHERE until = ${STILL_KNOWN}`,
    `CREATE INDEX facts_now ON facts (scope, id) WHERE until = ${STILL_KNOWN}`,
    `CREATE TABLE fact_sources (
      scope ${text} NOT NULL,
      fact ${text} NOT NULL,
      evidence ${text} NOT NULL,
      source ${text} NOT NULL,
      revision ${integer} NOT NULL,
      until ${integer} NOT NULL,
      trust ${integer} NOT NULL,
      body ${text} NOT NULL,
      PRIMARY KEY (scope, fact, revision, evidence, source)
    )${clustered}`,
    // What lies in deeper scopes: found by what it rests on, not by walking over those scopes.
    `CREATE INDEX fact_sources_below ON fact_sources (source, scope)`,
    `CREATE INDEX facts_disputed ON facts (predicate, scope) WHERE standing = 'disputed'`,
    `CREATE INDEX fact_sources_taught ON fact_sources (scope, source, fact) WHERE until = ${STILL_KNOWN}`,
    `CREATE TABLE facts_forgotten (
      scope ${text} NOT NULL,
      version ${integer} NOT NULL,
      fact ${text} NOT NULL,
      PRIMARY KEY (scope, version, fact)
    )${clustered}`,
  ]
}

function entities({ integer, text, clustered }: SqlDialect): readonly string[] {
  return [
    `CREATE TABLE entities (
      scope ${text} NOT NULL,
      key ${text} NOT NULL,
      revision ${integer} NOT NULL,
      until ${integer} NOT NULL,
      body ${text} NOT NULL,
      PRIMARY KEY (scope, key, revision)
    )${clustered}`,
    `CREATE TABLE entity_names (
      scope ${text} NOT NULL,
      name ${text} NOT NULL,
      revision ${integer} NOT NULL,
      until ${integer} NOT NULL,
      entity ${text} NOT NULL,
      PRIMARY KEY (scope, name, revision)
    )${clustered}`,
    // With `until`, so that it answers alone: otherwise SQLite would rather walk over all names of the scope.
    `CREATE INDEX entity_names_by_entity ON entity_names (scope, entity, until)`,
  ]
}

function support({ integer, text, clustered }: SqlDialect): readonly string[] {
  return [
    `CREATE TABLE predicates (
      scope ${text} NOT NULL,
      name ${text} NOT NULL,
      single ${integer} NOT NULL,
      PRIMARY KEY (scope, name)
    )${clustered}`,
    `CREATE TABLE proposals (
      scope ${text} NOT NULL,
      id ${text} NOT NULL,
      kind ${text} NOT NULL,
      status ${text} NOT NULL,
      created_at ${integer} NOT NULL,
      body ${text} NOT NULL,
      PRIMARY KEY (scope, id)
    )${clustered}`,
    `CREATE TABLE proposal_parts (
      scope ${text} NOT NULL,
      part ${text} NOT NULL,
      proposal ${text} NOT NULL,
      PRIMARY KEY (scope, part, proposal)
    )${clustered}`,
    `CREATE INDEX proposal_parts_by_proposal ON proposal_parts (scope, proposal)`,
  ]
}
