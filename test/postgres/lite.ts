import { PGlite } from '@electric-sql/pglite'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'
import type { TestDatabase } from './database.ts'

/** A PostgreSQL in this process, for machines without a server. It knows one role and has no disk to sync. */
export async function startLite(
  extensions: NonNullable<ConstructorParameters<typeof PGlite>[0]> = {},
): Promise<TestDatabase> {
  const database = await PGlite.create(extensions)
  const server = new PGLiteSocketServer({ db: database, host: '127.0.0.1', port: 0, maxConnections: 20 })
  await server.start()
  const url = `postgres://postgres:postgres@${server.getServerConn()}/postgres?sslmode=disable`
  return {
    url,
    admin: url,
    postgres: { accept: ['superuser', 'fsync-off', 'full-page-writes-off'], connections: 4, prepare: false },
    kind: 'pglite',
    [Symbol.asyncDispose]: async () => {
      await server.stop()
      await database.close()
    },
  }
}
