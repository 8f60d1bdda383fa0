import { createHash } from 'node:crypto'
import type { AuditEntry } from '../domain/audit.ts'
import { checkOptions } from '../domain/check-options.ts'
import type { AuditRow } from '../ports/access-store.ts'
import { checkCount } from './check-arguments.ts'
import type { Wiring } from './wiring.ts'

const LIMIT_DEFAULT = 100
const LIMIT_MAX = 1_000

export interface AuditOptions {
  /** How many at most, up to 1,000. @default 100 */
  readonly limit?: number
  /** Those before this number: the last one of an earlier page. */
  readonly before?: number
}

/** What is told of a deed; its number and its place in the chain are given when it is stored. */
export type AuditedAction = Omit<AuditRow, 'number' | 'chain'>

export async function readAudit({ store, work }: Wiring, options: AuditOptions): Promise<readonly AuditEntry[]> {
  checkOptions('read the audit trail', options, ['limit', 'before'])
  const { limit = LIMIT_DEFAULT, before = Number.MAX_SAFE_INTEGER } = options
  checkCount('read the audit trail', 'limit', limit)
  checkCount('read the audit trail', 'before', before)
  work.checkOpen()
  const rows = await store.access.audit({ before, limit: Math.min(limit, LIMIT_MAX) })
  return rows.map(({ number, at, keyId, action, scope, status, ids, digest, chain }) => ({
    number,
    at: new Date(at).toISOString(),
    key: keyId,
    action,
    scope,
    status,
    ids: JSON.parse(ids) as readonly string[],
    digest,
    chain,
  }))
}

/** Rows for deeds, each chained to the one before, so that what is changed or taken away later shows. */
export function chainDeeds(last: AuditRow | undefined, deeds: readonly AuditedAction[]): readonly AuditRow[] {
  let { number, chain } = last ?? { number: 0, chain: '' }
  return deeds.map((deed) => {
    number += 1
    chain = createHash('sha256')
      .update(
        JSON.stringify([
          chain,
          number,
          deed.at,
          deed.keyId,
          deed.action,
          deed.scope,
          deed.status,
          deed.ids,
          deed.digest,
        ]),
      )
      .digest('hex')
    return { ...deed, number, chain }
  })
}
