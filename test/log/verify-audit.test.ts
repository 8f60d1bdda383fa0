import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, expect, it } from 'vitest'
import { chainActions, verifyAudit } from '../../src/access/audit.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import { KeyCheck } from '../../src/access/key-check.ts'
import type { AccessKeyRow, AccessStore, AuditRow } from '../../src/ports/access-store.ts'

const folder = mkdtempSync(join(tmpdir(), 'daybook-audit-'))
afterAll(() => rmSync(folder, { recursive: true }))

const COLUMNS = ['number', 'at', 'key_id', 'action', 'scope', 'status', 'ids', 'digest', 'chain']
const ROWS = chainActions(
  undefined,
  Array.from({ length: 5 }, (_, index) => ({
    at: index,
    keyId: 'k1',
    action: 'session.append',
    scope: 'acme',
    status: 200,
    ids: '[]',
    digest: 'd',
  })),
)

async function damageAfter(change: string): Promise<readonly unknown[]> {
  const file = join(folder, `${COLUMNS.length}-${Math.random()}.db`)
  await (await openMemory(file, { learn: false })).close()
  const database = new Database(file)
  const insert = database.prepare(
    `INSERT INTO audit (${COLUMNS.join(', ')}) VALUES (${COLUMNS.map(() => '?').join(', ')})`,
  )
  for (const { number, at, keyId, action, scope, status, ids, digest, chain } of ROWS)
    insert.run(number, at, keyId, action, scope, status, ids, digest, chain)
  database.exec(change)
  database.close()
  await using memory = await openMemory(file, { learn: false })
  return (await memory.verify()).damage
}

it('[walls-203] verify finds an audit trail that is as written sound', async () => {
  expect(await damageAfter('')).toEqual([])
})

it('[walls-203] verify finds every column of an entry that was changed, and entries that are missing', async () => {
  for (const column of COLUMNS) {
    const value = ['number', 'at', 'status'].includes(column) ? '77' : `'other'`
    const damage = await damageAfter(`UPDATE audit SET ${column} = ${value} WHERE number = 3`)
    expect(damage, column).toContainEqual(expect.objectContaining({ what: 'audit' }))
  }
  for (const number of [1, 3]) expect(await damageAfter(`DELETE FROM audit WHERE number = ${number}`)).toHaveLength(1)
})

it('[walls-260] verify finds keys whose rows are gone, or say that a revoked key is not revoked', () => {
  const check = new KeyCheck()
  const entry = { ...(ROWS[0] as AuditRow), status: 200 }
  check.entry({ ...entry, action: 'keys.create', ids: '["made"]' })
  check.entry({ ...entry, action: 'keys.create', ids: '["refused"]', status: 403 })
  check.entry({ ...entry, action: 'keys.revoke', ids: '["back"]' })
  const key = { name: '', scope: null, can: 'read', hash: new Uint8Array(), createdAt: 1, expiresAt: null }
  const row = (id: string, revokedAt: number | null): AccessKeyRow => ({ ...key, id, revokedAt, lastUsedAt: null })
  expect(check.damage([row('made', null), row('back', 2)])).toEqual([])
  expect(check.damage([row('back', null)]).map(({ message }) => message)).toEqual([
    expect.stringContaining('"made" is in the audit trail') as string,
    expect.stringContaining('"back" was revoked') as string,
  ])
})

it('[walls-203] verify walks a trail of many pages', async () => {
  const rows = chainActions(
    undefined,
    Array.from({ length: 2_500 }, () => ({ ...(ROWS[0] as AuditRow) })),
  ).toReversed()
  const audit: AccessStore['audit'] = async ({ before, limit }) =>
    rows.filter(({ number }) => number < before).slice(0, limit)
  expect(await verifyAudit({ audit })).toEqual([])
  rows.splice(1_700, 1)
  expect(await verifyAudit({ audit })).toHaveLength(1)
})
