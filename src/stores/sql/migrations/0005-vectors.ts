import type { Migration } from '../migration.ts'

/** Vectors of passages, stamped with their generation. */
export const vectors: Migration = {
  number: 5,
  name: 'vectors',
  statements: ({ integer, bytes, text, identity, whose }) => [
    `CREATE TABLE vector_generations (
      key ${identity},
      model ${text} NOT NULL,
      dimensions ${integer} NOT NULL,
      rank ${integer} NOT NULL,
      UNIQUE (model, dimensions)
    )`,
    `CREATE UNIQUE INDEX vector_generations_by_rank ON vector_generations (rank)`,
    `CREATE TABLE vector_sets (
      key ${identity},
      scope ${text} NOT NULL,
      generation ${integer} NOT NULL REFERENCES vector_generations (key),
      through ${integer} NOT NULL,
      last ${integer} NOT NULL,
      removals ${integer} NOT NULL,
      complete ${integer} NOT NULL,
      UNIQUE (scope, generation)
    )`,
    // Not clustered: a vector fills a page or more, and only its numbers are read often.
    `CREATE TABLE vectors (
      ${whose}vector_set ${integer} NOT NULL REFERENCES vector_sets (key),
      number ${integer} NOT NULL,
      passage ${text} NOT NULL,
      bytes ${bytes} NOT NULL
    )`,
    `CREATE UNIQUE INDEX vectors_by_number ON vectors (vector_set, number)`,
    `CREATE UNIQUE INDEX vectors_by_passage ON vectors (vector_set, passage)`,
  ],
}
