import type { SqlDialect } from '../dialect.ts'
import type { Migration } from '../migration.ts'

/** The log: sessions, their messages in order, what was amended, and what makes retries safe. */
export const log: Migration = {
  number: 1,
  name: 'log',
  statements: (dialect) => [...conversations(dialect), ...support(dialect)],
}

function conversations({ integer, bytes, identity, clustered }: SqlDialect): readonly string[] {
  return [
    `CREATE TABLE sessions (
      key ${identity},
      scope TEXT NOT NULL,
      name TEXT NOT NULL,
      description TEXT NOT NULL,
      created_at ${integer} NOT NULL,
      updated_at ${integer} NOT NULL,
      last_seq ${integer} NOT NULL,
      version ${integer} NOT NULL,
      genesis ${bytes} NOT NULL,
      head ${bytes} NOT NULL,
      parent_key ${integer} REFERENCES sessions (key),
      parent_seq ${integer},
      parent_version ${integer},
      parent_link ${bytes},
      UNIQUE (scope, name)
    )`,
    `CREATE INDEX sessions_by_scope ON sessions (scope, key)`,
    `CREATE TABLE messages (
      session ${integer} NOT NULL REFERENCES sessions (key),
      seq ${integer} NOT NULL,
      version ${integer} NOT NULL,
      id TEXT NOT NULL,
      role TEXT NOT NULL,
      at ${integer} NOT NULL,
      recorded_at ${integer} NOT NULL,
      tokens ${integer} NOT NULL,
      counter TEXT NOT NULL,
      salt ${bytes} NOT NULL,
      digest ${bytes} NOT NULL,
      chain ${bytes} NOT NULL,
      body TEXT NOT NULL,
      PRIMARY KEY (session, seq)
    )${clustered}`,
    `CREATE UNIQUE INDEX messages_by_id ON messages (session, id)`,
    // Few and far between, and wanted by every context: no context should read a whole history to find them.
    `CREATE INDEX messages_system ON messages (session, seq) WHERE role = 'system'`,
  ]
}

function support({ integer, bytes, clustered }: SqlDialect): readonly string[] {
  return [
    `CREATE TABLE amendments (
      session ${integer} NOT NULL REFERENCES sessions (key),
      version ${integer} NOT NULL,
      kind TEXT NOT NULL,
      seq ${integer} NOT NULL,
      recorded_at ${integer} NOT NULL,
      tokens ${integer} NOT NULL,
      counter TEXT NOT NULL,
      salt ${bytes} NOT NULL,
      digest ${bytes} NOT NULL,
      chain ${bytes} NOT NULL,
      body TEXT NOT NULL,
      PRIMARY KEY (session, version)
    )${clustered}`,
    `CREATE INDEX amendments_by_seq ON amendments (session, seq)`,
    // Clears, and whatever damage made of one: a clear that is not found would bring back what was cleared.
    `CREATE INDEX amendments_clear ON amendments (session, seq)
      WHERE kind NOT IN ('revise', 'remove', 'compact', 'undo')`,
    `CREATE INDEX amendments_window ON amendments (session, version) WHERE kind IN ('compact', 'undo')`,
    `CREATE TABLE tool_links (
      session ${integer} NOT NULL REFERENCES sessions (key),
      call_id TEXT NOT NULL,
      seq ${integer} NOT NULL,
      kind TEXT NOT NULL,
      PRIMARY KEY (session, call_id, seq, kind)
    )${clustered}`,
    `CREATE TABLE operations (
      session ${integer} NOT NULL REFERENCES sessions (key),
      id TEXT NOT NULL,
      request ${bytes} NOT NULL,
      seqs TEXT NOT NULL,
      PRIMARY KEY (session, id)
    )${clustered}`,
    `CREATE TABLE blobs (
      scope TEXT NOT NULL,
      hash TEXT NOT NULL,
      bytes ${bytes} NOT NULL,
      PRIMARY KEY (scope, hash)
    )`,
    `CREATE TABLE calibrations (
      model TEXT NOT NULL,
      tokenizer TEXT NOT NULL,
      value TEXT NOT NULL,
      PRIMARY KEY (model, tokenizer)
    )`,
  ]
}
