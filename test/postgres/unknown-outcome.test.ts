import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { openMemory } from '../../src/memory/open-memory.ts'
import { type TestDatabase, freshDatabase } from './database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterEach(() => void vi.restoreAllMocks())
afterAll(() => database?.[Symbol.asyncDispose]())

/** What a socket says when it breaks, as one without a name for it does and as one under TLS does. */
const broken = ['ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC', 'EPROTO', 'ENETDOWN', 'ERR_STREAM_WRITE_AFTER_END']

it.each(broken)(
  '[pg-5] a commit whose answer was lost to %s is looked up, whatever the error is called',
  async (code) => {
    await using memory = await openMemory(database.url, { learn: false, postgres: database.postgres })
    const chat = memory.scope('acme/ada').session(code)
    const query = pg.Client.prototype.query as (this: pg.Client, ...given: readonly unknown[]) => Promise<unknown>
    let lost = 0
    vi.spyOn(pg.Client.prototype, 'query').mockImplementation(async function (this: pg.Client, ...given: unknown[]) {
      const answer = await query.apply(this, given)
      if (given[0] !== 'COMMIT' || lost++ > 0) return answer
      throw Object.assign(new Error('the socket broke'), { code })
    } as never)
    // Ids of their own: if it were appended twice, both would be there.
    const stored = await Promise.all([1, 2].map((number) => chat.append({ role: 'user', content: `${number}` })))
    expect(lost).toBeGreaterThan(0)
    vi.restoreAllMocks()
    expect(stored.flat().map(({ seq }) => seq)).toEqual([1, 2])
    expect(await chat.history()).toHaveLength(2)
  },
)
