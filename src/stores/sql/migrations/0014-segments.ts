import type { Migration } from '../migration.ts'

/**
 * Postings of one term in a row, in segments that are joined as they grow. What was indexed before is indexed again: a message at a
 * time, from the log.
 */
export const segments: Migration = {
  number: 14,
  name: 'segments',
  statements: ({ name: database, integer, bytes, identity, whose, clustered }) => [
    `DROP TABLE recall_postings`,
    // Row security hides rows from DELETE, not from TRUNCATE.
    ...['passages', 'posted', 'terms', 'speakers', 'threads', 'shelves'].map(
      (name) => `${database === 'postgres' ? 'TRUNCATE' : 'DELETE FROM'} recall_${name}`,
    ),
    `CREATE TABLE recall_segments (
      ${whose}key ${identity},
      shelf ${integer} NOT NULL,
      postings ${integer} NOT NULL,
      target ${integer} NOT NULL
    )`,
    `CREATE INDEX recall_segments_by_shelf ON recall_segments (shelf)`,
    // A row has some postings of a term in a segment, each row better ones than the next. Not one row a posting: that takes four times
    // the room, and to write it changes a page for each. Not a tsvector with a GIN index on PostgreSQL: under row security the server
    // uses an index only for operators that cannot leak, as these comparisons of numbers, and not for `@@`.
    `CREATE TABLE recall_postings (
      ${whose}segment ${integer} NOT NULL,
      term ${integer} NOT NULL,
      part ${integer} NOT NULL,
      highest ${integer} NOT NULL,
      lowest ${integer} NOT NULL,
      hits ${bytes} NOT NULL,
      PRIMARY KEY (segment, term, part)
    )${clustered}`,
  ],
}
