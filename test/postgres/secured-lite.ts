import { setTimeout } from 'node:timers/promises'
import { PGlite } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite-pgvector'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'
import type { PostgresOptions } from '../../src/api/postgres.ts'
import { migrateDatabase } from '../../src/stores/postgres/migrate.ts'
import { poolOptions } from '../../src/stores/postgres/options.ts'
import { Pool } from '../../src/stores/postgres/pool.ts'
import { migrations } from '../../src/stores/sql/migrations/index.ts'

/** A PGlite whose connections all have the role of a running memory: it owns nothing and is held to row security. */
export interface SecuredLite extends AsyncDisposable {
  readonly url: string
  readonly postgres: PostgresOptions
  /** Runs statements with all rights, between whatever the memory does. */
  asAdmin<Row>(statements: string): Promise<readonly Row[]>
}

const OWNER = 'daybook_test_owner'
const RUNTIME = 'daybook_test_runtime'

/**
 * PGlite is one session that all connections share, whatever user they name: so is its role. The tables are made under the
 * owner's before anybody else connects.
 *
 * @param takeOn How the runtime role is taken on: as a login of its own, or by a role that is somebody else.
 */
export async function startSecuredLite(
  takeOn: 'SESSION AUTHORIZATION' | 'ROLE' = 'SESSION AUTHORIZATION',
): Promise<SecuredLite> {
  const database = await PGlite.create({ extensions: { vector } })
  await database.exec(`CREATE ROLE ${OWNER}; CREATE ROLE ${RUNTIME}; CREATE EXTENSION vector SCHEMA public;
    GRANT CREATE ON DATABASE postgres TO ${OWNER}`)
  const server = new PGLiteSocketServer({ db: database, host: '127.0.0.1', port: 0, maxConnections: 20 })
  await server.start()
  const url = `postgres://postgres:postgres@${server.getServerConn()}/postgres?sslmode=disable`
  const become = (role: string): Promise<unknown> => database.exec(`SET ${takeOn} ${role}`)
  const postgres: PostgresOptions = { accept: ['fsync-off', 'full-page-writes-off'], connections: 4, prepare: false }
  await become(OWNER)
  const pool = await Pool.open(url, { ...poolOptions(postgres), connections: 1 })
  await migrateDatabase(pool, migrations, { role: RUNTIME, partitions: 1, now: Date.now })
  await pool.close()
  await become(RUNTIME)
  return {
    url,
    postgres,
    asAdmin: async <Row>(statements: string) => {
      // Somebody's transaction may still be on its way to its end, and would take what is set here with it.
      while (database.isInTransaction()) await setTimeout(1)
      await become('postgres')
      try {
        return ((await database.exec(statements)).at(-1)?.rows ?? []) as unknown as readonly Row[]
      } finally {
        await become(RUNTIME)
      }
    },
    [Symbol.asyncDispose]: async () => {
      await server.stop()
      await database.close()
    },
  }
}
