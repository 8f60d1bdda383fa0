import { vector } from '@electric-sql/pglite-pgvector'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Store } from '../../src/ports/store.ts'
import { openPostgresStore } from '../../src/stores/postgres/store.ts'
import { find, scene } from '../recall/vectors/scene.ts'
import { type TestDatabase, databaseOn, freshDatabase, withClient } from './database.ts'
import { startLite } from './lite.ts'

const nouns = ['apple', 'river', 'mill', 'ledger', 'harbour', 'violin', 'glacier', 'tram']
const verbs = ['sings', 'burns', 'waits', 'grows', 'falls', 'opens', 'writes']
const texts = nouns.flatMap((noun) => verbs.map((verb) => `the ${noun} ${verb} in ${noun} street`))

const built = process.env['DAYBOOK_PGVECTOR_URL']

const ways = [
  // [pg-7] [pg-8] The extension in PGlite, through the same driver; and a real server, which has none.
  { name: 'pgvector', open: () => startLite({ extensions: { vector } }), indexed: true },
  { name: 'a server without it', open: freshDatabase, indexed: false },
  // A server that somebody built it for: docs/platforms.md says how.
  ...(built === undefined
    ? []
    : [{ name: 'pgvector on a server', open: () => databaseWithVectors(built), indexed: true }]),
]

for (const { name, open, indexed } of ways)
  describe(`[pg-7] [pg-8] vectors with ${name}`, () => {
    let database: TestDatabase
    let store: Store
    beforeAll(async () => {
      database = await open()
      store = await openPostgresStore(database.url, database.postgres, Date.now, () => undefined)
    })
    afterAll(async () => {
      await store.close()
      await database[Symbol.asyncDispose]()
    })

    it('find what SQLite finds, in the same order, and nothing of another scope', async () => {
      const here = await scene({ store })
      const there = await scene()
      for (const { shelf, vectors } of [here, there]) {
        shelf.add('acme', texts.slice(0, 30))
        shelf.add('acme/ada', texts.slice(30))
        shelf.add('acme/bob', texts)
        await vectors.post()
      }
      expect(store.vectors.search).toMatch(indexed ? /^pgvector \d/ : /^process$/)
      const [set] = await store.vectors.sets(['acme'])
      const near =
        set === undefined
          ? undefined
          : await store.vectors.nearest(set, new Float32Array(set.generation.dimensions).fill(0.05), 5)
      expect(near?.length).toBe(indexed ? 5 : undefined)
      for (const question of ['apple sings', 'the ledger', 'tram street', 'violin waits'])
        for (const scope of ['acme', 'acme/ada', 'acme/bob'])
          expect(await find(here.vectors, scope, question)).toEqual(await find(there.vectors, scope, question))
    })

    it('are gone when their passage is, and when their set is retired', async () => {
      const { vectors } = await scene({ store })
      const before = await find(vectors, 'acme', 'apple sings', 3)
      await store.vectors.remove('acme', before.slice(0, 1))
      expect(await find(vectors, 'acme', 'apple sings', 2)).toEqual(before.slice(1))
      const [set] = await store.vectors.sets(['acme'])
      if (set === undefined) throw new Error('no set')
      while (!(await store.vectors.retire(set, 7)));
      expect(await find(vectors, 'acme', 'apple sings')).toEqual([])
      const left = await store.vectors.nearest(set, new Float32Array(set.generation.dimensions).fill(0.05), 5)
      expect(left).toEqual(indexed ? [] : undefined)
    })

    it('have a table a generation, under row security', async () => {
      const tables = await withClient(database.admin, (client) =>
        client.query<{ secured: boolean; indexes: string[] }>(
          `SELECT c.relrowsecurity AND c.relforcerowsecurity AS secured,
              array(SELECT indexdef FROM pg_indexes i WHERE i.tablename = c.relname) AS indexes
            FROM pg_class c WHERE c.relnamespace = 'daybook'::regnamespace AND c.relkind = 'r' AND c.relname ~ '^vectors_[0-9]+$'`,
        ),
      )
      expect(tables.rows.map(({ secured }) => secured)).toEqual(indexed ? [true] : [])
      if (indexed) expect(tables.rows[0]?.indexes.join()).toMatch(/USING hnsw/)
    })
  })

/** Only an administrator may install it: it is not a trusted extension. */
async function databaseWithVectors(server: string): Promise<TestDatabase> {
  const database = await databaseOn(server)
  await withClient(database.admin, (client) => client.query('CREATE EXTENSION vector'))
  return database
}
