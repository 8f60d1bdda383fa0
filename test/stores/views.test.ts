import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Store } from '../../src/ports/store.ts'
import { recallWiring } from '../../src/memory/recall.ts'
import { wrapLog } from '../../src/sealing/wrap-log.ts'
import { wrapStore } from '../../src/sealing/wrap-store.ts'
import { openSqliteStore } from '../../src/stores/sqlite/store.ts'

describe('[surface-80] the views of a store', () => {
  let store: Store<'stored'>
  beforeEach(async () => {
    store = await openSqliteStore(':memory:', Date.now)
  })
  afterEach(() => store.close())

  it('are named in the type and in the store', async () => {
    const views = await wrapStore(store, undefined)
    expect(store.log.view).toBe('stored')
    expect([views.store.log.view, views.store.stale.log.view]).toEqual(['opened', 'opened'])
    expect([views.searched.log.view, views.searched.stale.log.view]).toEqual(['searchable', 'searchable'])
    expect(views.stored.view).toBe('verifiable')
  })

  it('are not taken for one another by the compiler', async () => {
    const views = await wrapStore(store, undefined)
    const rest = {} as Parameters<typeof recallWiring>[2]
    const knowledge = {} as Parameters<typeof recallWiring>[1]
    recallWiring(views.searched, knowledge, rest)
    // @ts-expect-error What is encrypted must not get into the index.
    recallWiring(views.store, knowledge, rest)
    // @ts-expect-error Nobody searches the rows of the database.
    recallWiring(store, knowledge, rest)
    // @ts-expect-error Content is decrypted once.
    wrapLog(views.store.log, undefined, 'opened')
  })
})
