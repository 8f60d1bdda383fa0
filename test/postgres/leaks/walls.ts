import pg from 'pg'
import { type TestDatabase, withClient } from '../database.ts'

/** A comparison of a row's scope, or of the root that knowledge is counted by, with one that was asked for. */
const FILTER = /(?:\b\w+\.)?\b(?:scope|root)\s*(?:=|>=|<=|<|>)\s*(?:\$\d+(?:\s*\|\|\s*'[^']*')?|\w+\.\w+)/g

/** How often a filter was taken out of a statement. */
export interface Sabotage extends Disposable {
  readonly removed: () => number
}

/**
 * Takes the filters by scope out of every statement on its way to the server, until the end of the block: as if each had been
 * forgotten. Only for connections that are made in it, since a server keeps the statements it was told to prepare.
 */
export function withoutFilters(): Sabotage {
  const { prototype } = pg.Client
  const { query } = prototype as unknown as { readonly query: (this: pg.Client, ...given: unknown[]) => unknown }
  let removed = 0
  const weaken = (text: string): string =>
    text.replaceAll(FILTER, (found) => {
      removed += 1
      return `(${found} OR TRUE)`
    })
  Object.assign(prototype, {
    query(this: pg.Client, first: unknown, ...rest: unknown[]): unknown {
      const weakened =
        typeof first === 'object' && first !== null && 'text' in first && typeof first.text === 'string'
          ? { ...first, text: weaken(first.text) }
          : first
      return query.call(this, weakened, ...rest)
    },
  })
  return { removed: () => removed, [Symbol.dispose]: () => void Object.assign(prototype, { query }) }
}

/** Takes every table out of row security, as its owner could. */
export async function withoutRowSecurity(database: TestDatabase): Promise<void> {
  await withClient(database.admin, async (client) => {
    for (const name of await tables(client)) await client.query(`ALTER TABLE ${name} DISABLE ROW LEVEL SECURITY`)
  })
}

/** Every row of some scopes, to see that nobody changed one. */
export async function rowsOf(database: TestDatabase, scopes: readonly string[]): Promise<string> {
  return withClient(database.admin, async (client) => {
    const found: unknown[] = []
    for (const name of await tables(client)) {
      const { rows } = await client.query<{ row: string }>(
        `SELECT to_jsonb(t)::text AS row FROM ${name} t WHERE to_jsonb(t) ->> 'scope' = ANY ($1) ORDER BY 1`,
        [scopes],
      )
      found.push([name, rows.map(({ row }) => row)])
    }
    return JSON.stringify(found)
  })
}

async function tables(client: pg.Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname = 'daybook' ORDER BY 1`,
  )
  return rows.map(({ name }) => name)
}
