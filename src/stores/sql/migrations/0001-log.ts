import type { SqlDialect } from '../dialect.ts'
import type { Migration } from '../migration.ts'

/** The log: sessions, their messages in order, what was amended, and what makes retries safe. */
export const log: Migration = {
  number: 1,
  name: 'log',
  statements: (dialect) => [...conversations(dialect), ...support(dialect)],
}

function conversations({ integer, bytes, text, owned, clustered }: SqlDialect): readonly string[] {
  return [
    `CREATE TABLE sessions (
      key ${owned.identity},
      scope ${text} NOT NULL,
      name ${text} NOT NULL,
      description ${text} NOT NULL,
      created_at ${integer} NOT NULL,
      updated_at ${integer} NOT NULL,
      last_seq ${integer} NOT NULL,
      version ${integer} NOT NULL,
      genesis ${bytes} NOT NULL,
      head ${bytes} NOT NULL,
      parent_key ${integer}${owned.references},
      parent_seq ${integer},
      parent_version ${integer},
      parent_link ${bytes},
      ${owned.primary}UNIQUE (scope, name)
    )`,
    `CREATE INDEX sessions_by_scope ON sessions (scope, key)`,
    `CREATE TABLE messages (
      ${owned.scope}session ${integer} NOT NULL${owned.references},
      seq ${integer} NOT NULL,
      version ${integer} NOT NULL,
      id ${text} NOT NULL,
      role ${text} NOT NULL,
      at ${integer} NOT NULL,
      recorded_at ${integer} NOT NULL,
      tokens ${integer} NOT NULL,
      counter ${text} NOT NULL,
      salt ${bytes} NOT NULL,
      digest ${bytes} NOT NULL,
      chain ${bytes} NOT NULL,
      body ${text} NOT NULL,
      PRIMARY KEY (${owned.key}session, seq)
    )${clustered}`,
    `CREATE UNIQUE INDEX messages_by_id ON messages (${owned.key}session, id)`,
    // Few and far between, and wanted by every context: no context should read a whole history to find them.
    `CREATE INDEX messages_system ON messages (${owned.key}session, seq) WHERE role = 'system'`,
  ]
}

function support({ integer, bytes, text, owned, clustered }: SqlDialect): readonly string[] {
  return [
    `CREATE TABLE amendments (
      ${owned.scope}session ${integer} NOT NULL${owned.references},
      version ${integer} NOT NULL,
      kind ${text} NOT NULL,
      seq ${integer} NOT NULL,
      recorded_at ${integer} NOT NULL,
      tokens ${integer} NOT NULL,
      counter ${text} NOT NULL,
      salt ${bytes} NOT NULL,
      digest ${bytes} NOT NULL,
      chain ${bytes} NOT NULL,
      body ${text} NOT NULL,
      PRIMARY KEY (${owned.key}session, version)
    )${clustered}`,
    `CREATE INDEX amendments_by_seq ON amendments (${owned.key}session, seq)`,
    // Clears, and whatever damage made of one: a clear that is not found would bring back what was cleared.
    `CREATE INDEX amendments_clear ON amendments (${owned.key}session, seq)
      WHERE kind NOT IN ('revise', 'remove', 'compact', 'undo')`,
    `CREATE INDEX amendments_window ON amendments (${owned.key}session, version) WHERE kind IN ('compact', 'undo')`,
    `CREATE TABLE tool_links (
      ${owned.scope}session ${integer} NOT NULL${owned.references},
      call_id ${text} NOT NULL,
      seq ${integer} NOT NULL,
      kind ${text} NOT NULL,
      PRIMARY KEY (${owned.key}session, call_id, seq, kind)
    )${clustered}`,
    `CREATE TABLE operations (
      ${owned.scope}session ${integer} NOT NULL${owned.references},
      id ${text} NOT NULL,
      request ${bytes} NOT NULL,
      seqs ${text} NOT NULL,
      PRIMARY KEY (${owned.key}session, id)
    )${clustered}`,
    `CREATE TABLE blobs (
      scope ${text} NOT NULL,
      hash ${text} NOT NULL,
      bytes ${bytes} NOT NULL,
      PRIMARY KEY (scope, hash)
    )`,
    `CREATE TABLE calibrations (
      model ${text} NOT NULL,
      tokenizer ${text} NOT NULL,
      value ${text} NOT NULL,
      PRIMARY KEY (model, tokenizer)
    )`,
  ]
}
