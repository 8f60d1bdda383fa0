import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openMemory } from '../../src/memory/open-memory.ts'
import { chainActions } from '../../src/access/audit.ts'
import type { AuditRow } from '../../src/ports/access-store.ts'
import type { Store } from '../../src/ports/store.ts'
import { openPostgresStore } from '../../src/stores/postgres/store.ts'
import { Child, warm } from '../fault/harness/child.ts'
import { times } from '../tier.ts'
import type { AuditTask } from './children/audit-writer.ts'
import { type TestDatabase, freshDatabase, withClient } from './database.ts'

const WRITER = new URL('children/audit-writer.ts', import.meta.url)
const DEEDS = times({ daily: 60, nightly: 2_000 })
const AT_ONCE = times({ daily: 40, nightly: 1_000 })

describe('what reads before it writes, by several at once', () => {
  let database: TestDatabase
  let one: Store
  let other: Store
  beforeAll(async () => {
    database = await freshDatabase()
    const { url, postgres } = database
    one = await openPostgresStore(url, postgres, Date.now, () => undefined)
    other = await openPostgresStore(url, postgres, Date.now, () => undefined)
  })
  afterAll(async () => {
    await one?.close()
    await other?.close()
    await database?.[Symbol.asyncDispose]()
  })

  it('[pg-1] the audit trail of two processes is one chain without a gap', { timeout: 120_000 }, async () => {
    await warm(WRITER)
    const { url, postgres } = database
    const children = ['one', 'two'].map((name) => ({ name, child: new Child(WRITER, []) }))
    for (const { child } of children) await child.ready
    for (const { name, child } of children) await child.go({ name, url, postgres, deeds: DEEDS } satisfies AuditTask)
    const codes = await Promise.all(children.map(({ child }) => child.ended))
    expect(codes, children.map(({ child }) => child.errors).join('\n')).toEqual([0, 0])
    const rows = (await one.access.audit({ before: Number.MAX_SAFE_INTEGER, limit: 3 * DEEDS })).toReversed()
    expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: 2 * DEEDS }, (_, index) => index + 1))
    let last: AuditRow | undefined
    for (const { number, chain, ...deed } of rows) {
      const [wanted] = chainActions(last, [deed])
      expect([number, chain]).toEqual([wanted?.number, wanted?.chain])
      last = { number, chain, ...deed }
    }
  })

  it('[pg-1] a calibration counts every report, and an answer has one maker', async () => {
    const key = { scope: 'acme', model: 'm', tokenizer: 't' }
    const stores = Array.from({ length: AT_ONCE }, (_, index) => (index % 2 === 0 ? one : other))
    await Promise.all(
      stores.map((store) =>
        store.calibrations.update(key, (before) => ({
          model: 'm',
          samples: (before?.samples ?? 0) + 1,
          ratio: 1,
          spread: 0,
          ignored: 0,
        })),
      ),
    )
    expect((await one.calibrations.read(key))?.samples).toBe(AT_ONCE)

    const row = { name: 'retry', request: 'same', status: 0, body: '', at: 1 }
    const before = await Promise.all(
      stores.map((store) => store.access.changeAnswer('retry', (found) => found ?? row, 0)),
    )
    expect(before.filter((found) => found === undefined)).toHaveLength(1)
  })

  it('[pg-1] a key keeps both that it was used and that it was revoked', async () => {
    const made = { id: 'k', name: '', scope: null, can: 'read', hash: Buffer.alloc(32), createdAt: 1, expiresAt: null }
    await one.access.addKey({ ...made, revokedAt: null, lastUsedAt: null })
    await Promise.all([
      one.access.updateKey('k', (key) => ({ ...key, revokedAt: 5 })),
      ...Array.from({ length: AT_ONCE }, (_, at) =>
        other.access.updateKey('k', (key) => ({ ...key, lastUsedAt: Math.max(key.lastUsedAt ?? 0, at) })),
      ),
    ])
    expect(await one.access.keyById('k')).toMatchObject({ revokedAt: 5, lastUsedAt: AT_ONCE - 1 })
  })

  it('[forget-2] [pg-1] forgetting beside appends, forks and recall leaves every chain whole', async () => {
    const { url, postgres } = database
    await using memory = await openMemory(url, { learn: false, postgres })
    await using beside = await openMemory(url, { learn: false, postgres })
    const picture = {
      type: 'image',
      source: { type: 'bytes', bytes: Buffer.from('the same picture') },
      mediaType: 'image/png',
    } as const
    const chat = memory.scope('acme/ada').session('chat')
    const same = beside.scope('acme/ada').session('chat')
    const numbers = Array.from({ length: AT_ONCE }, (_, number) => number)
    for (const number of numbers)
      await chat.append({ role: 'user', id: `m${number}`, parts: [{ type: 'text', text: `word${number}` }, picture] })
    await Promise.all([
      (async () => {
        for (const number of numbers.filter((each) => each % 2 === 0))
          await memory.scope('acme/ada').forget({ message: `m${number}`, session: 'chat' })
      })(),
      (async () => {
        for (const number of numbers) {
          await same.append({
            role: 'user',
            id: `n${number}`,
            parts: [{ type: 'text', text: `late${number}` }, picture],
          })
          if (number % 10 === 0) await beside.scope('acme/ada').recall(`word${number + 1}`)
        }
      })(),
    ])
    expect(await memory.verify()).toMatchObject({ ok: true, forgotten: AT_ONCE / 2, messages: AT_ONCE * 1.5 })
    expect((await chat.history({ limit: 1_000 })).map(({ seq }) => seq)).toHaveLength(AT_ONCE * 1.5)
    // The picture is shown by those that came meanwhile: it must still be there.
    expect([...(await chat.blobs(await chat.recent(1))).values()].map(String)).toEqual(['the same picture'])
  })

  it('[forget-2] [pg-1] a state that is being set while its session is forgotten goes with it', async () => {
    const { url, postgres } = database
    await using memory = await openMemory(url, { learn: false, postgres })
    const chat = memory.scope('acme/set').session('s')
    await chat.append({ role: 'user', content: 'x' })
    await chat.state.set('mood', 'calm')
    await withClient(database.admin, async (client) => {
      // What another process does to set it a second time, up to its commit.
      await client.query(`BEGIN; SET search_path = daybook;
        UPDATE state_heads SET version = 2 WHERE scope = 'acme/set';
        UPDATE state_entries SET until_version = 2 WHERE scope = 'acme/set' AND until_version IS NULL;
        INSERT INTO state_entries SELECT scope, session, section, key, 2, NULL, at, value FROM state_entries
          WHERE scope = 'acme/set'`)
      const forgotten = memory.scope('acme/set').forget({ session: 's' })
      await blocked(database, 'state_')
      await client.query('COMMIT')
      await forgotten
      expect((await client.query(`SELECT 1 FROM state_entries WHERE scope = 'acme/set'`)).rowCount).toBe(0)
    })
    expect(await chat.state.get('mood')).toBeUndefined()
  })

  it('[forget-2] [pg-1] a blob that two stored at once outlives the message of one of them', async (context) => {
    if (database.kind !== 'server') return context.skip()
    const { url, postgres } = database
    await using memory = await openMemory(url, { learn: false, postgres })
    await using beside = await openMemory(url, { learn: false, postgres })
    const scope = memory.scope('acme/blob')
    const picture = {
      type: 'image',
      source: { type: 'bytes', bytes: Buffer.from('a picture of both') },
      mediaType: 'image/png',
    } as const
    await scope.session('first').append({ role: 'user', id: 'one', parts: [picture] })
    await withClient(database.admin, (first) =>
      withClient(database.admin, async (gate) => {
        // As if the first were still on its way: what it stores is there and cannot be seen yet.
        await first.query(`SET search_path = daybook; CREATE TEMP TABLE kept AS SELECT * FROM blobs WHERE scope = 'acme/blob';
          DELETE FROM blobs WHERE scope = 'acme/blob'`)
        await first.query('BEGIN; INSERT INTO blobs SELECT * FROM kept')
        // The second gets no further than to its operation.
        await gate.query('BEGIN; LOCK TABLE daybook.operations IN SHARE MODE')
        const chat = beside.scope('acme/blob').session('second')
        const appended = chat.append({ role: 'user', id: 'two', parts: [picture] }, { operationId: 'o' })
        await blocked(database, 'blobs')
        await first.query('COMMIT')
        await blocked(database, 'operations')
        const forgotten = scope.forget({ message: 'one', session: 'first' })
        await Promise.race([forgotten, blocked(database, 'blobs')])
        await gate.query('COMMIT')
        await appended
        await forgotten
        expect([...(await chat.blobs(await chat.recent(1))).values()].map(String)).toEqual(['a picture of both'])
      }),
    )
  })
})

/** Waits until somebody waits for somebody else with a statement that names a table. */
async function blocked({ admin }: TestDatabase, table: string): Promise<void> {
  // A connection of its own: within a transaction the server would tell the same again and again.
  await withClient(admin, async (client) => {
    for (;;) {
      const { rowCount } = await client.query(
        `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database() AND query LIKE $1`,
        [`%${table}%`],
      )
      if ((rowCount ?? 0) > 0) return
      await setTimeout(20)
    }
  })
}
