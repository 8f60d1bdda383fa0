import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Store } from '../../src/ports/store.ts'
import type { VectorSet } from '../../src/ports/vector-store.ts'
import { openPostgresStore } from '../../src/stores/postgres/store.ts'
import { find, scene } from '../recall/vectors/scene.ts'
import { withClient } from './database.ts'
import { type SecuredLite, startSecuredLite } from './secured-lite.ts'

const DIMENSIONS = 8
/** What the others have: nearer to every question than anything of ours. */
const THEIRS = 600
const OURS = 60
const query = unit([1, 0, 0, 0, 0, 0, 0, 0])

function unit(values: readonly number[]): Float32Array {
  const length = Math.hypot(...values)
  return Float32Array.from(values, (value) => value / length)
}

/** Vectors around the question, or on its far side. */
function vectors(count: number, towards: 1 | -1): readonly { passage: string; values: Float32Array }[] {
  return Array.from({ length: count }, (_, index) => ({
    passage: `${towards} ${index}`,
    values: unit([
      towards * 2,
      ...Array.from({ length: DIMENSIONS - 1 }, (__, at) => Math.sin(index * 7 + at * 13) / 2),
    ]),
  }))
}

async function open({ url, postgres }: SecuredLite): Promise<Store> {
  return openPostgresStore(url, postgres, Date.now, () => undefined)
}

async function fill(store: Store, scope: string, count: number, towards: 1 | -1): Promise<VectorSet> {
  const generation = await store.vectors.choose('model', DIMENSIONS)
  const set = generation === undefined ? undefined : await store.vectors.begin(scope, generation)
  if (set === undefined) throw new Error('no set')
  expect(await store.vectors.commit({ set, through: count, vectors: vectors(count, towards), complete: true })).toBe(
    true,
  )
  const [filled] = await store.vectors.sets([scope])
  if (filled === undefined) throw new Error('no set')
  return filled
}

/** Takes the filter by set out of every search, as if it had been forgotten. */
function withoutFilter(): Disposable & { readonly removed: () => number } {
  const { prototype } = pg.Client
  const { query: whole } = prototype as unknown as { readonly query: (this: pg.Client, ...given: unknown[]) => unknown }
  let removed = 0
  const weaken = (text: string): string =>
    text.replaceAll(/(FROM vectors_\d+ WHERE) (vector_set = \$1)/g, (_, from: string, filter: string) => {
      removed += 1
      return `${from} (${filter} OR TRUE)`
    })
  Object.assign(prototype, {
    query(this: pg.Client, first: unknown, ...rest: unknown[]): unknown {
      const has = typeof first === 'object' && first !== null && 'text' in first && typeof first.text === 'string'
      return whole.call(this, has ? { ...first, text: weaken(first.text as string) } : first, ...rest)
    },
  })
  return { removed: () => removed, [Symbol.dispose]: () => void Object.assign(prototype, { query: whole }) }
}

describe('[pg-7] [pg-9] HNSW under row security', () => {
  let lite: SecuredLite
  let store: Store
  let ours: VectorSet
  /** As if it were too large to be compared one by one. */
  let large: VectorSet
  beforeAll(async () => {
    lite = await startSecuredLite()
    store = await open(lite)
    await fill(store, 'acme/bob', THEIRS, 1)
    ours = await fill(store, 'acme/ada', OURS, -1)
    large = { ...ours, last: 1_000_000 }
    // Small tables are read whole by themselves; the index is what is tested.
    await lite.asAdmin('SET enable_seqscan = off; SET enable_sort = off; SET enable_bitmapscan = off')
  })
  afterAll(async () => {
    await store?.close()
    await lite?.[Symbol.asyncDispose]()
  })

  const theTable = (): string => `daybook.vectors_${ours.generation.key}`
  const exact = async (limit: number): Promise<readonly number[]> =>
    (await store.vectors.read(ours, { after: 0, limit: OURS }))
      .map(({ number, values }) => ({
        number,
        near: values.reduce((sum, value, at) => sum + value * (query[at] ?? 0), 0),
      }))
      .toSorted((a, b) => b.near - a.near)
      .slice(0, limit)
      .map(({ number }) => number)

  /** As the memory's own role, in a transaction that was told its sight. */
  const seeingOurs = <Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> =>
    withClient(lite.url, async (client) => {
      await client.query(`BEGIN; SELECT set_config('daybook.visible_scopes', E'acme/ada\\n', true)`)
      try {
        return await work(client)
      } finally {
        await client.query('ROLLBACK')
      }
    })

  it('runs as a role that is held to it', async () => {
    expect(store.vectors.search).toMatch(/^pgvector \d/)
    const [role] = (
      await withClient(lite.url, (client) =>
        client.query(`SELECT rolsuper OR rolbypassrls AS above,
          (SELECT count(*)::int FROM pg_class WHERE relowner = r.oid) AS owned FROM pg_roles r WHERE rolname = current_user`),
      )
    ).rows as { above: boolean; owned: number }[]
    expect(role).toEqual({ above: false, owned: 0 })
    const [table] = await lite.asAdmin(
      `SELECT relrowsecurity AND relforcerowsecurity AS forced FROM pg_class WHERE oid = '${theTable()}'::regclass`,
    )
    expect(table).toEqual({ forced: true })
  })

  it('is used by the search, with the sight of the scope as a filter after it', async () => {
    const plan = await seeingOurs(async (client) => {
      const { rows } = await client.query<Record<string, string>>(
        `EXPLAIN SELECT number FROM ${theTable()} WHERE vector_set = ${ours.key} ORDER BY embedding <#> '[${query.join(',')}]'::public.vector LIMIT 20`,
      )
      return rows.map((row) => row['QUERY PLAN']).join('\n')
    })
    expect(plan).toMatch(/Index Scan using vectors_\d+_embedding_idx/)
    expect(plan).toMatch(/Filter:.*daybook\.sight|Filter:.*SubPlan|Filter:.*InitPlan/)
  })

  it('finds as many as there are, however near the others are and however early the scan ends', async () => {
    for (const scanned of [1, 50, 20_000]) {
      await lite.asAdmin(`SET hnsw.max_scan_tuples = ${scanned}`)
      for (const limit of [1, 20, OURS, OURS + 40]) {
        expect(await store.vectors.nearest(ours, query, limit)).toEqual(await exact(limit))
        // Which ones an index finds is its own affair, but they are ours, and as many as were asked for.
        const found = (await store.vectors.nearest(large, query, limit)) ?? []
        expect(new Set(found).size).toBe(Math.min(limit, OURS))
        expect(found.every((number) => number <= OURS)).toBe(true)
      }
    }
    await lite.asAdmin('RESET hnsw.max_scan_tuples')
  })

  it('gives nothing of another scope from row security alone', async () => {
    using sabotage = withoutFilter()
    await using other = { store: await open(lite), [Symbol.asyncDispose]: () => other.store.close() }
    for (const set of [ours, large]) {
      const found = (await other.store.vectors.nearest(set, query, 100)) ?? []
      // Of theirs all are nearer, and their numbers go on where ours end.
      expect(found.toSorted((a, b) => a - b)).toEqual(Array.from({ length: OURS }, (_, index) => index + 1))
    }
    expect(sabotage.removed()).toBeGreaterThanOrEqual(3)
  })

  it('gives nothing of another scope from the filter alone; with neither it would', async () => {
    await lite.asAdmin(`ALTER TABLE ${theTable()} DISABLE ROW LEVEL SECURITY`)
    try {
      for (const set of [ours, large])
        expect(new Set(await store.vectors.nearest(set, query, 100))).toEqual(new Set(await exact(100)))
      using sabotage = withoutFilter()
      await using other = { store: await reopened(), [Symbol.asyncDispose]: () => other.store.close() }
      const found = (await other.store.vectors.nearest(large, query, 100)) ?? []
      expect(found.some((number) => number > OURS)).toBe(true)
      expect(sabotage.removed()).toBeGreaterThan(0)
    } finally {
      await lite.asAdmin(`ALTER TABLE ${theTable()} ENABLE ROW LEVEL SECURITY`)
    }
  })

  /** To open a memory refuses what is not under row security: so it is opened first. */
  async function reopened(): Promise<Store> {
    await lite.asAdmin(`ALTER TABLE ${theTable()} ENABLE ROW LEVEL SECURITY`)
    const other = await open(lite)
    await lite.asAdmin(`ALTER TABLE ${theTable()} DISABLE ROW LEVEL SECURITY`)
    return other
  }

  it('a vector of another scope cannot be written, moved or deleted', async () => {
    await seeingOurs(async (client) => {
      expect((await client.query(`DELETE FROM ${theTable()} WHERE scope = 'acme/bob'`)).rowCount).toBe(0)
      expect((await client.query(`UPDATE ${theTable()} SET number = number WHERE scope <> 'acme/ada'`)).rowCount).toBe(
        0,
      )
      await expect(client.query(`UPDATE ${theTable()} SET scope = 'acme/bob'`)).rejects.toMatchObject({ code: '42501' })
    })
  })
})

describe.each(['SESSION AUTHORIZATION', 'ROLE'] as const)(
  '[pg-7] [pg-8] [pg-9] vectors by a role that was taken on with SET %s',
  (how) => {
    it('find what SQLite finds, in the same order, and go with their passages', async () => {
      await using lite = await startSecuredLite(how)
      const store = await open(lite)
      const [here, there] = [await scene({ store }), await scene()]
      const texts = ['apple', 'river', 'mill', 'ledger'].flatMap((noun) =>
        ['sings', 'burns', 'waits', 'grows', 'falls'].map((verb) => `the ${noun} ${verb} in ${noun} street`),
      )
      for (const { shelf, vectors: posted } of [here, there]) {
        shelf.add('acme', texts.slice(0, 8))
        shelf.add('acme/ada', texts.slice(8))
        shelf.add('acme/bob', texts)
        await posted.post()
      }
      for (const question of ['apple sings', 'the ledger', 'mill street'])
        for (const scope of ['acme', 'acme/ada', 'acme/bob'])
          expect(await find(here.vectors, scope, question)).toEqual(await find(there.vectors, scope, question))
      const before = await find(here.vectors, 'acme', 'apple sings', 3)
      await store.vectors.remove('acme', before.slice(0, 1))
      expect(await find(here.vectors, 'acme', 'apple sings', 2)).toEqual(before.slice(1))
      await store.close()
    })
  },
)
