import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ask } from '../../src/knowledge/ask.ts'
import { scopeChain } from '../../src/domain/scope-path.ts'
import { openSqliteStore } from '../../src/stores/sqlite/store.ts'
import type { VersionMark } from '../../src/ports/knowledge-store.ts'
import { digestTables } from '../../src/stores/sql/tables.ts'
import { times } from '../tier.ts'

const TABLE = digestTables.findIndex(({ name }) => name === 'knowledge_versions')
const SCOPES = ['a', 'a/b', 'a/b/c', 'a/d']

it('[surface-91] a change has its number in its scope, whatever the order in which archives are imported', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...SCOPES), { minLength: 1, maxLength: 40 }),
      fc.array(fc.nat(), { maxLength: 6 }),
      async (scopes, cuts) => {
        const store = await openSqliteStore(':memory:', () => 0)
        const changes = scopes.map((scope, index) => ({ root: 'a', version: index * 3 + 1, scope, at: index }))
        const pages = Map.groupBy(changes, (_, index) => (cuts.length === 0 ? 0 : (cuts[index % cuts.length] ?? 0) % 4))
        for (const page of pages.values())
          expect(await store.archive.put('knowledge-version', { scope: 'a' }, page)).toEqual({ stored: page.length })
        for (const scope of SCOPES) {
          const chain = scopeChain(scope)
          const own = changes.filter((one) => chain.includes(one.scope))
          const versions = changes.flatMap(({ version }) => [version - 1, version])
          const { counts, nth } = await store.knowledge.read(scope, function* () {
            const found: (VersionMark | undefined)[] = []
            for (let one = 1; one <= own.length + 1; one++)
              found.push(yield* ask({ of: 'nthMark', scopes: chain, nth: one }))
            return { counts: yield* ask({ of: 'changeCounts', scopes: chain, versions }), nth: found }
          })
          expect(counts).toEqual(versions.map((last) => own.filter(({ version }) => version <= last).length))
          expect(nth).toEqual([...own.map(({ version, at }) => ({ version, at })), undefined])
        }
        expect(await store.integrity.page({ table: TABLE }, { stated: false })).toMatchObject({
          read: changes.length,
          changed: [],
        })
        await store.close()
      },
    ),
    { numRuns: times({ daily: 40, nightly: 2_000 }) },
  )
})
