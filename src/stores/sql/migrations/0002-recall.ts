import type { Migration } from '../migration.ts'

/** An index of words over the log: everything in it is derived, and posted again after it was thrown away. */
export const recallMigration: Migration = {
  number: 2,
  name: 'recall',
  statements: ({ integer, bytes, text, identity, whose, clustered }) => [
    `CREATE TABLE recall_shelves (
      key ${identity},
      scope ${text} NOT NULL,
      kind ${integer} NOT NULL,
      passages ${integer} NOT NULL,
      words ${integer} NOT NULL,
      UNIQUE (scope, kind)
    )`,
    `CREATE TABLE recall_threads (
      ${whose}thread ${integer} PRIMARY KEY,
      shelf ${integer} NOT NULL,
      version ${integer} NOT NULL,
      seq ${integer} NOT NULL,
      words ${integer} NOT NULL
    )`,
    `CREATE INDEX recall_threads_by_shelf ON recall_threads (shelf)`,
    `CREATE TABLE recall_terms (
      ${whose}key ${identity},
      shelf ${integer} NOT NULL,
      term ${text} NOT NULL,
      passages ${integer} NOT NULL,
      UNIQUE (shelf, term)
    )`,
    // Also on PostgreSQL, instead of a tsvector with a GIN index, which is a twentieth of the size: under row security the
    // server uses an index only for operators that cannot leak, as these comparisons of numbers, and not for `@@`. Of 100,000
    // messages the 400 best hits of a word came in 1 ms from here, and in 35 ms to 8 s from a walk over all of them.
    //
    // Read from its end: the best hits of a term are one short stretch, however common the word is.
    `CREATE TABLE recall_postings (
      ${whose}term ${integer} NOT NULL,
      impact ${integer} NOT NULL,
      thread ${integer} NOT NULL,
      place ${integer} NOT NULL,
      PRIMARY KEY (term, impact, thread, place)
    )${clustered}`,
    `CREATE TABLE recall_passages (
      ${whose}thread ${integer} NOT NULL,
      place ${integer} NOT NULL,
      shelf ${integer} NOT NULL,
      reference ${text} NOT NULL,
      speaker ${text} NOT NULL,
      role ${integer} NOT NULL,
      at ${integer} NOT NULL,
      length ${integer} NOT NULL,
      cues ${integer} NOT NULL,
      terms ${bytes} NOT NULL,
      PRIMARY KEY (thread, place)
    )${clustered}`,
    `CREATE INDEX recall_passages_by_time ON recall_passages (shelf, at)`,
    `CREATE INDEX recall_passages_by_reference ON recall_passages (reference, thread) WHERE reference <> ''`,
    // In the order of posting: who embeds messages follows it.
    `CREATE TABLE recall_posted (
      ${whose}number ${identity},
      shelf ${integer} NOT NULL,
      passage ${text} NOT NULL,
      UNIQUE (shelf, passage)
    )`,
    `CREATE INDEX recall_posted_in_order ON recall_posted (shelf, number)`,
    `CREATE TABLE recall_speakers (
      ${whose}shelf ${integer} NOT NULL,
      speaker ${text} NOT NULL,
      passages ${integer} NOT NULL,
      PRIMARY KEY (shelf, speaker)
    )${clustered}`,
  ],
}
