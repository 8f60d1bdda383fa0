import { expect, it } from 'vitest'
import type { StatedRow } from '../../src/ports/integrity-store.ts'
import { verifyRows } from '../../src/log/verify-rows.ts'
import { openSqliteStore } from '../../src/stores/sqlite/store.ts'

it('[walls-210] rows are hashed for a statement only if there is one', async () => {
  const store = await openSqliteStore(':memory:', Date.now)
  await store.retention.set('acme/ada', '{"days":30}', 1)
  let hashed = 0
  const counting: Pick<typeof store.integrity, 'page'> = {
    page: async (...call) => {
      const page = await store.integrity.page(...call)
      hashed += page.stated.length
      return page
    },
  }
  const plain = await verifyRows(counting)
  expect(hashed).toBe(0)
  const stated: StatedRow[] = []
  expect(await verifyRows(counting, (rows) => stated.push(...rows))).toEqual(plain)
  expect(stated).toMatchObject([{ table: 'retention', scope: 'acme/ada' }])
  await store.close()
})
