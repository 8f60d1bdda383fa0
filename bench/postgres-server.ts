import { randomBytes } from 'node:crypto'
import pg from 'pg'
import type { PostgresOptions } from '../src/api/postgres.ts'
import { type Server, startServer } from '../test/postgres/server.ts'

/** A database of its own on a server of its own: addresses for a memory, and for whoever looks behind its back. */
export interface BenchDatabase {
  readonly url: string
  readonly postgres: PostgresOptions
  readonly admin: string
}

/** Larger buffers than a fresh server has: 64 MB would measure the disk. */
export function startBenchServer(): Promise<Server> {
  return startServer(['shared_buffers = 1GB', 'max_wal_size = 8GB', 'checkpoint_timeout = 30min'])
}

export async function benchDatabase(server: Server, terms: PostgresOptions = {}): Promise<BenchDatabase> {
  const name = `bench_${randomBytes(4).toString('hex')}`
  const [owner, runtime] = [`${name}_owner`, `${name}_app`]
  await asked(server.url, `CREATE ROLE ${owner} LOGIN`)
  await asked(server.url, `CREATE ROLE ${runtime} LOGIN`)
  await asked(server.url, `CREATE DATABASE ${name} OWNER ${owner} TEMPLATE template0 ENCODING 'UTF8'`)
  const address = (role: string): string => `postgres://${role}@127.0.0.1:${server.port}/${name}`
  return {
    url: address(runtime),
    postgres: { migrate: address(owner), ...terms },
    admin: address('postgres'),
  }
}

/** The rows of one statement, over a connection of its own. */
export async function asked<Row extends pg.QueryResultRow>(url: string, text: string): Promise<readonly Row[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}
