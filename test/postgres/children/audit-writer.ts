// One of several servers on one database: writes to the audit trail, as many deeds as it is told.
import type { PostgresOptions } from '../../../src/api/postgres.ts'
import { chainActions } from '../../../src/access/audit.ts'
import { openPostgresStore } from '../../../src/stores/postgres/store.ts'
import { tell, waitForGo } from '../../fault/harness/parent.ts'

export interface AuditTask {
  readonly name: string
  readonly url: string
  readonly postgres: PostgresOptions
  readonly deeds: number
}

const { name, url, postgres, deeds } = waitForGo() as AuditTask
const store = await openPostgresStore(url, postgres, Date.now, () => undefined)
const deed = (number: number): Parameters<typeof chainActions>[1][number] => ({
  at: number,
  keyId: name,
  action: 'session.append',
  scope: 'acme/ada',
  status: 200,
  ids: '[]',
  digest: null,
})
// Several at once, as requests come.
await Promise.all(
  Array.from({ length: deeds }, (_, number) =>
    store.access.addAudit((last) => chainActions(last, [deed(number)])).then(() => tell({ name, number })),
  ),
)
await store.close()
