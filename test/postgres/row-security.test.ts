import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openMemory } from '../../src/memory/open-memory.ts'
import { PostgresDatabase } from '../../src/stores/postgres/database.ts'
import { poolOptions } from '../../src/stores/postgres/options.ts'
import { Pool } from '../../src/stores/postgres/pool.ts'
import { Transactions } from '../../src/stores/postgres/transactions.ts'
import { all } from '../../src/stores/sql/program.ts'
import { testScopes } from '../contract/scope-contract.ts'
import { type TestDatabase, Subjects, freshDatabase, withClient } from './database.ts'

const CANARY = 'canary of another scope'

describe('row security alone, with no filter in the statement', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await freshDatabase()
    await using memory = await openMemory(database.url, { learn: false, postgres: database.postgres })
    for (const scope of ['acme', 'acme/ada', 'acme/ada/helper', 'acme/adam', 'acme/bob']) {
      const chat = memory.scope(scope).session('s')
      await chat.append({ role: 'user', content: `${CANARY} ${scope}`, id: 'm' }, { operationId: 'o' })
      await chat.append({ role: 'assistant', parts: [{ type: 'tool-call', id: 'c', name: 't', arguments: '{}' }] })
      await chat.revise('m', { content: `${CANARY} ${scope}, revised` })
    }
  })
  afterAll(() => database?.[Symbol.asyncDispose]())

  /** As the memory's own role, in a transaction that was told its sight. */
  async function seeing<Result>(
    sight: string | undefined,
    work: (client: pg.Client) => Promise<Result>,
  ): Promise<Result> {
    return withClient(database.url, async (client) => {
      await client.query('SET search_path = daybook')
      await client.query('BEGIN')
      if (sight !== undefined) await client.query(`SELECT set_config('daybook.visible_scopes', $1, true)`, [sight])
      return work(client)
    })
  }
  const scopes = (sight: string | undefined, table: string): Promise<readonly string[]> =>
    seeing(sight, async (client) => {
      const { rows } = await client.query<{ scope: string }>(`SELECT DISTINCT scope FROM ${table} ORDER BY scope`)
      return rows.map(({ scope }) => scope)
    })

  it.each(['sessions', 'messages', 'amendments', 'tool_links', 'operations'])(
    '[pg-9] %s: a scope sees itself, what lies below only when asked for, siblings never',
    async (table) => {
      expect(await scopes(undefined, table)).toEqual([])
      expect(await scopes('', table)).toEqual([])
      expect(await scopes('acme/ada', table)).toEqual(['acme/ada'])
      expect(await scopes('acme/ada\nacme/ada/', table)).toEqual(['acme/ada', 'acme/ada/helper'])
      expect(await scopes('acme/ada\nacme', table)).toEqual(['acme', 'acme/ada'])
      expect(await scopes('*', table)).toHaveLength(5)
    },
  )

  it('[pg-9] a scope may be called as the sign for all of them, and sees no more than itself', async () => {
    const pool = await Pool.open(database.url, poolOptions({}))
    try {
      const unfiltered = new PostgresDatabase(new Transactions(pool))
      for (const sight of [['*'], ['*', 'acme/ada']]) {
        const found = await unfiltered.read('look at everything', sight, () =>
          all<{ readonly scope: string }>('SELECT DISTINCT scope FROM messages'),
        )
        expect(found.map(({ scope }) => scope)).toEqual(sight.slice(1))
      }
    } finally {
      await pool.close()
    }
  })

  it('[pg-9] the setting ends with its transaction', async () => {
    await withClient(database.url, async (client) => {
      await client.query(`BEGIN; SELECT set_config('daybook.visible_scopes', '*', true); COMMIT`)
      expect((await client.query('SELECT 1 FROM daybook.messages')).rowCount).toBe(0)
    })
  })

  it('[pg-9] nothing of another scope can be written, changed or deleted', async () => {
    await seeing('acme/bob', async (client) => {
      for (const table of ['sessions', 'messages', 'amendments', 'tool_links', 'operations']) {
        expect((await client.query(`DELETE FROM ${table} WHERE scope = 'acme/ada'`)).rowCount).toBe(0)
      }
      expect((await client.query(`UPDATE messages SET body = '' WHERE scope <> 'acme/bob'`)).rowCount).toBe(0)
      await expect(client.query(`UPDATE messages SET scope = 'acme/ada'`)).rejects.toMatchObject({ code: '42501' })
    })
    await seeing('acme/bob', async (client) => {
      await expect(
        client.query(`INSERT INTO blobs (scope, hash, bytes) VALUES ('acme/ada', 'h', '')`),
      ).rejects.toMatchObject({ code: '42501' })
    })
  })

  it('[pg-9] [pg-10] is forced on every table, and the runtime role owns none and cannot bypass it', async () => {
    const { rows } = await withClient(database.url, (client) =>
      client.query<
        Record<string, unknown>
      >(`SELECT c.relname AS table, c.relrowsecurity AND c.relforcerowsecurity AS forced,
          c.relowner = r.oid AS own, r.rolsuper AS super, r.rolbypassrls AS bypass, has_schema_privilege('daybook', 'CREATE') AS creates
        FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace, pg_roles r
        WHERE n.nspname = 'daybook' AND c.relkind IN ('r', 'p') AND r.rolname = current_user`),
    )
    expect(rows.length).toBeGreaterThan(20)
    for (const row of rows)
      expect(row).toMatchObject({ forced: true, own: false, super: false, bypass: false, creates: false })
    await withClient(database.url, async (client) => {
      await expect(client.query('ALTER TABLE daybook.messages DISABLE ROW LEVEL SECURITY')).rejects.toMatchObject({
        code: '42501',
      })
      await expect(client.query('SET ROLE daybook_test_owner')).rejects.toMatchObject({ code: '42501' })
    })
  })

  it('[pg-9] [pg-10] a table that was taken out of it is put back when the memory is opened, by its owner alone', async () => {
    await withClient(database.admin, (client) =>
      client.query('ALTER TABLE daybook.messages DISABLE ROW LEVEL SECURITY'),
    )
    const { migrate: _, ...runtime } = database.postgres
    await expect(openMemory(database.url, { learn: false, postgres: runtime })).rejects.toMatchObject({
      code: 'store/forbidden',
    })
    await (await openMemory(database.url, { learn: false, postgres: database.postgres })).close()
    expect(await scopes('acme/ada', 'messages')).toEqual(['acme/ada'])
  })
})

describe('a function that runs with the rights of the owner', () => {
  it('[pg-9] [pg-10] uses nothing that the runtime role can put in its way', async (context) => {
    await using database = await freshDatabase()
    if (database.kind !== 'server') return context.skip()
    await (await openMemory(database.url, { learn: false, postgres: database.postgres })).close()
    // An operator may let everybody make things in `public`, as servers before PostgreSQL 15 did.
    await withClient(database.admin, (client) => client.query('GRANT CREATE ON SCHEMA public TO PUBLIC'))
    await withClient(database.url, async (client) => {
      await client.query(`SET search_path = daybook, public`)
      const take = 'ALTER TABLE daybook.messages DISABLE ROW LEVEL SECURITY'
      await client.query(`CREATE FUNCTION pg_temp.take() RETURNS bigint LANGUAGE plpgsql AS $$ BEGIN
        EXECUTE '${take}'; RETURN 1; EXCEPTION WHEN insufficient_privilege THEN RETURN 1; END $$`)
      await client.query(`CREATE TEMP VIEW vectors AS SELECT pg_temp.take() AS vector_set`)
      await client.query(`CREATE TEMP VIEW vector_sets AS SELECT pg_temp.take() AS key, 1::bigint AS generation`)
      await client.query('GRANT SELECT ON vectors, vector_sets TO PUBLIC')
      await client.query(`CREATE FUNCTION public.join_text(text, bigint) RETURNS text LANGUAGE plpgsql AS $$ BEGIN
        PERFORM pg_temp.take(); RETURN $1 || $2::text; END $$`)
      await client.query(`CREATE OPERATOR public.|| (LEFTARG = text, RIGHTARG = bigint, FUNCTION = public.join_text)`)
      await client.query(`SELECT make_vector_table(1, 8)`).catch(() => undefined)
    })
    await withClient(database.admin, async (client) => {
      const { rows } = await client.query(
        `SELECT relrowsecurity AS secured FROM pg_class WHERE oid = 'daybook.messages'::regclass`,
      )
      expect(rows).toEqual([{ secured: true }])
    })
  })
})

describe('the filters alone, with row security off', () => {
  const subjects = new Subjects()
  afterAll(() => subjects[Symbol.asyncDispose]())

  // [pg-9] The contract of scopes holds without the second wall too.
  testScopes(async (options) => {
    const memory = await subjects.open(options)
    await subjects.disarm()
    return memory
  })
})
