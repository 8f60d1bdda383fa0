import type { Generation } from '../../ports/vector-store.ts'
import type { VectorIndex } from '../sql/vector-store.ts'
import { type Program, all, change, one, together } from '../sql/program.ts'
import { identifier } from './identifier.ts'
import type { Link } from './link.ts'
import type { Pool } from './pool.ts'
import { securedTable } from './row-security.ts'

/** What an HNSW index takes. Longer vectors are compared in the process, as on SQLite. */
const DIMENSIONS_MAX = 2_000
/** Since this version a scan goes on until enough rows pass the filter; before, it would end with those that it saw first. */
const VERSION_MIN = [0, 8] as const

/** How vectors are searched: by the server's own index, or exactly, in the process. */
export type VectorSearch = { readonly by: 'pgvector'; readonly version: string } | { readonly by: 'process' }

/** Finds out what the server can do. */
export function vectorSearchOf(pool: Pool): Promise<VectorSearch> {
  return pool.using('look for pgvector', async (link) => {
    const [found] = (await link.send({ text: VERSION, values: [MAKER], gives: 'rows' })) as readonly {
      readonly version: string
    }[]
    return found === undefined || isOlder(found.version)
      ? { by: 'process' }
      : { by: 'pgvector', version: found.version }
  })
}

const MAKER = 'make_vector_table'
/** An extension in a schema that we do not search is as good as none. */
const VERSION = `SELECT extversion::text AS "version" FROM pg_extension
  WHERE extname = 'vector' AND to_regtype('vector') IS NOT NULL AND EXISTS (SELECT 1 FROM pg_proc WHERE proname = ? AND pronamespace = current_schema()::regnamespace)`

function isOlder(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major < VERSION_MIN[0] || (major === VERSION_MIN[0] && minor < VERSION_MIN[1])
}

/**
 * Installs the extension where the server has it and the role may, and the function that makes a generation's table: the
 * role of a running memory owns nothing and can make none. To be run in the transaction that makes the tables.
 */
export async function prepareVectors(link: Link, schema: string): Promise<void> {
  await link.say(`DO $$ BEGIN
    IF EXISTS (SELECT 1 FROM pg_available_extensions WHERE name = 'vector') THEN
      CREATE EXTENSION IF NOT EXISTS vector SCHEMA public;
    END IF;
  EXCEPTION WHEN insufficient_privilege THEN NULL;
  END $$`)
  await link.say(makerFunction(schema))
}

/** The name of a table stands for a placeholder in what secures every table. */
const PLACEHOLDER = 'vectors_0'

/**
 * It runs with the rights of the owner, so it must find nothing that its caller put there: it searches only the schema, in which
 * the caller can make nothing, and names where the extension is. Temporary tables would come first if they were not named last.
 */
const makerFunction = (
  schema: string,
): string => `CREATE OR REPLACE FUNCTION ${MAKER}(generation BIGINT, dimensions BIGINT) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = ${identifier(schema)}, pg_temp AS $maker$
  DECLARE
    name TEXT := 'vectors_' || generation;
    home TEXT := (SELECT n.nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'vector');
    statement TEXT;
    grantee REGROLE;
  BEGIN
    IF to_regclass(name) IS NULL THEN
      IF EXISTS (SELECT 1 FROM vectors v JOIN vector_sets s ON s.key = v.vector_set
        WHERE s.generation = make_vector_table.generation) THEN RETURN; END IF;
      EXECUTE format('CREATE TABLE %I (
        scope TEXT COLLATE "C" NOT NULL DEFAULT split_part(current_setting(''daybook.visible_scopes''), E''\\n'', 1),
        vector_set BIGINT NOT NULL, number BIGINT NOT NULL, embedding %I.vector(%s) NOT NULL,
        PRIMARY KEY (vector_set, number),
        FOREIGN KEY (vector_set, number) REFERENCES vectors (vector_set, number) ON DELETE CASCADE)', name, home, dimensions);
      EXECUTE format('CREATE INDEX ON %I USING hnsw (embedding %I.vector_ip_ops)', name, home);
      FOREACH statement IN ARRAY ARRAY[${securedTable(PLACEHOLDER)
        .map((statement) => `$secure$${statement}$secure$`)
        .join(', ')}] LOOP
        EXECUTE replace(statement, '${PLACEHOLDER}', name);
      END LOOP;
    END IF;
    -- Whoever may write vectors: who called is not known here, since a session may have taken on another role.
    FOR grantee IN SELECT DISTINCT acl.grantee::regrole FROM pg_class c, aclexplode(c.relacl) acl
      WHERE c.oid = 'vectors'::regclass AND acl.privilege_type = 'INSERT' AND acl.grantee NOT IN (0, c.relowner) LOOP
      EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO %s', name, grantee);
    END LOOP;
  END $maker$`

/**
 * The server's own index of vectors: a table a generation, whose rows go with those of `vectors`. A generation that has
 * vectors from before the server had the extension gets none, since it would find only those that came after.
 */
export function pgvector(version: string): VectorIndex {
  /** Only those that are there: a table may be made at any time, and none goes. */
  const known = new Set<number>()
  function* isIndexed({ key, dimensions }: Generation): Program<boolean> {
    if (dimensions > DIMENSIONS_MAX) return false
    if (!known.has(key)) {
      const found = yield* one<{ readonly there: boolean }>(
        'SELECT to_regclass(?) IS NOT NULL AS "there"',
        tableOf(key),
      )
      if (found?.there === true) known.add(key)
    }
    return known.has(key)
  }
  return {
    name: `pgvector ${version}`,
    *make({ key, dimensions }) {
      if (dimensions <= DIMENSIONS_MAX) yield* all(`SELECT ${MAKER}(?, ?)`, key, dimensions)
    },
    *add({ key, generation }, rows) {
      if (!(yield* isIndexed(generation))) return
      const insert = `INSERT INTO ${tableOf(generation.key)} (vector_set, number, embedding) VALUES (?, ?, ?::vector)`
      yield* together(rows.map(({ number, values }) => change(insert, key, number, textOf(values))))
    },
    *nearest({ key, last, generation }, query, limit) {
      if (!(yield* isIndexed(generation))) return undefined
      const values = [key, textOf(query), limit] as const
      if (last > COMPARED_ONE_BY_ONE_MAX) {
        const found = yield* nearestByIndex(tableOf(generation.key), values)
        if (found.length === limit) return found
      }
      return (yield* all<Numbered>(nearestOneByOne(tableOf(generation.key)), ...values)).map(({ number }) => number)
    },
  }
}

interface Numbered {
  readonly number: number
}

/**
 * The index is of all scopes together, and the filters, the statement's and row security's, come after it: a scan goes on until
 * enough rows have passed them, but not beyond what the server lets it look at (`hnsw.max_scan_tuples`). A scope that is small
 * beside the others would get too few or none, so that is where its own rows are compared, one by one, over its primary key.
 */
const COMPARED_ONE_BY_ONE_MAX = 2_000

// Of vectors of length 1 the inner product is the cosine.
const byDistance = `ORDER BY embedding <#> ?::vector, number LIMIT ?`

/** Fewer than asked for if the scan ended before: whoever wants all has to compare them one by one. */
function* nearestByIndex(
  table: string,
  values: readonly [key: number, query: string, limit: number],
): Program<readonly number[]> {
  yield* one(SETTINGS, String(Math.min(EF_SEARCH_MAX, Math.max(EF_SEARCH_MIN, values[2]))))
  const found = yield* all<Numbered>(
    `SELECT number AS "number" FROM ${table} WHERE vector_set = ? ORDER BY embedding <#> ?::vector LIMIT ?`,
    ...values,
  )
  return found.map(({ number }) => number)
}

/** Taken out first, so that no index of distances can serve it. */
function nearestOneByOne(table: string): string {
  return `WITH own AS MATERIALIZED (SELECT number, embedding FROM ${table} WHERE vector_set = ?)
    SELECT number AS "number" FROM own ${byDistance}`
}

/** The server's default, and its limit. */
const EF_SEARCH_MIN = 40
const EF_SEARCH_MAX = 1_000
const SETTINGS = `SELECT set_config('hnsw.ef_search', ?, true), set_config('hnsw.iterative_scan', 'strict_order', true)`

function tableOf(generation: number): string {
  return `vectors_${generation}`
}

function textOf(values: Float32Array): string {
  return `[${values.join(',')}]`
}
