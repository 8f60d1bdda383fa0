import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import type { MemoryOptions } from '../../src/api/open-memory.ts'
import type { PostgresOptions } from '../../src/api/postgres.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import type { Memory } from '../../src/api/memory.ts'
import type { Found } from './global-setup.ts'
import { startLite } from './lite.ts'

/** An empty database of its own. */
export interface TestDatabase extends AsyncDisposable {
  /** With the role that a memory runs as: it owns nothing. */
  readonly url: string
  /** How to open it: who owns the tables, and what is accepted. */
  readonly postgres: PostgresOptions
  /** With the role that may do everything, to look behind the memory's back. */
  readonly admin: string
  readonly kind: 'server' | 'pglite'
}

const OWNER = 'daybook_test_owner'
const RUNTIME = 'daybook_test_runtime'
const PASSWORD = 'daybook'

/** Which server this run has. */
async function foundServer(): Promise<Exclude<Found, { readonly error: string }>> {
  const found = (await (await fetch(inject('postgres'))).json()) as Found
  if (typeof found === 'object' && 'error' in found) throw new Error(found.error)
  return found
}

/** Makes a database; it is dropped with its block. */
export async function freshDatabase(): Promise<TestDatabase> {
  const found = await foundServer()
  return found === 'pglite' ? startLite() : databaseOn(found.url)
}

export async function databaseOn(admin: string): Promise<TestDatabase> {
  const name = `daybook_test_${randomBytes(6).toString('hex')}`
  await withClient(admin, async (client) => {
    await makeRoles(client)
    await client.query(`CREATE DATABASE ${name} OWNER ${OWNER} TEMPLATE template0 ENCODING 'UTF8'`)
  })
  return {
    url: address(admin, name, RUNTIME),
    postgres: { migrate: address(admin, name, OWNER) },
    admin: address(admin, name),
    kind: 'server',
    [Symbol.asyncDispose]: () =>
      withClient(admin, async (client) => {
        await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
      }),
  }
}

/** Several test files may come at once: who is second finds the roles there. */
async function makeRoles(client: pg.Client): Promise<void> {
  await client.query('SELECT pg_advisory_lock(7731)')
  for (const role of [OWNER, RUNTIME]) {
    const { rowCount } = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [role])
    if (rowCount === 0) await client.query(`CREATE ROLE ${role} LOGIN PASSWORD '${PASSWORD}'`)
  }
  await client.query('SELECT pg_advisory_unlock(7731)')
}

function address(url: string, database: string, role?: string): string {
  const other = new URL(url)
  other.pathname = `/${database}`
  if (role !== undefined) {
    other.username = role
    other.password = PASSWORD
  }
  return other.href
}

export async function withClient<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client(url)
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/**
 * Opens memories that are fresh and empty each time. A database is made once and emptied between its memories, since making
 * one takes longer than most tests.
 */
export class Subjects implements AsyncDisposable {
  readonly #databases: TestDatabase[] = []
  readonly #free: TestDatabase[] = []
  readonly #terms: PostgresOptions
  readonly #fresh: () => Promise<TestDatabase>

  constructor(terms: PostgresOptions = {}, fresh: () => Promise<TestDatabase> = freshDatabase) {
    this.#terms = terms
    this.#fresh = fresh
  }

  async open(options: MemoryOptions = {}): Promise<Memory> {
    const database = this.#free.pop() ?? (await this.#make())
    const memory = await openMemory(database.url, {
      ...options,
      postgres: { ...database.postgres, ...this.#terms },
    })
    const close = memory.close.bind(memory)
    let closed: Promise<void> | undefined
    const once = (): Promise<void> => (closed ??= close().then(() => this.#giveBack(database)))
    return Object.assign(memory, { close: once, [Symbol.asyncDispose]: once })
  }

  /** Takes the last database out of row security, behind the memory's back. */
  async disarm(): Promise<void> {
    for (const database of this.#databases) {
      await withClient(database.admin, async (client) => {
        const { rows } = await client.query<{ name: string }>(
          `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname = 'daybook'`,
        )
        const words = rows.map(({ name }) => `ALTER TABLE ${name} DISABLE ROW LEVEL SECURITY`)
        await client.query(words.join('; '))
      })
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const database of this.#databases) await database[Symbol.asyncDispose]()
  }

  async #make(): Promise<TestDatabase> {
    const database = await this.#fresh()
    this.#databases.push(database)
    return database
  }

  async #giveBack(database: TestDatabase): Promise<void> {
    await withClient(database.admin, async (client) => {
      const { rows } = await client.query<{ name: string }>(
        `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname = 'daybook' AND tablename <> 'migrations'`,
      )
      // Deleted and not truncated: a few rows go at once, while every truncated table is a new file to sync. Those that others
      // point to are emptied by deferring nothing and going round until all are.
      for (let left = rows.map(({ name }) => name), tries = 0; left.length > 0 && tries < 5; tries++) {
        const stuck: string[] = []
        for (const name of left) await client.query(`DELETE FROM ${name}`).catch(() => stuck.push(name))
        left = stuck
      }
    })
    this.#free.push(database)
  }
}
