import { hash } from 'node:crypto'
import type { Damage } from '../api/upkeep.ts'
import type { AuditEntry } from '../domain/audit.ts'
import type { AuditOptions } from '../api/keys.ts'
import type { AccessStore, AuditRow } from '../ports/access-store.ts'
import { checkCall } from '../surface/check-call.ts'
import { auditOperations } from '../surface/keys.ts'
import type { AccessWiring } from './wiring.ts'

const LIMIT_DEFAULT = 100
const LIMIT_MAX = 1_000

/** What was done. Its number and its place in the chain are added when it is stored. */
export type AuditedAction = Omit<AuditRow, 'number' | 'chain'>

export async function readAudit({ store, work }: AccessWiring, options: AuditOptions): Promise<readonly AuditEntry[]> {
  checkCall(auditOperations.read, options)
  const { limit = LIMIT_DEFAULT, before = Number.MAX_SAFE_INTEGER } = options
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

/**
 * Walks the audit trail from its first entry and names every one that does not continue the chain: it was changed, or one before
 * it was removed or added. Passes on each entry.
 */
export async function verifyAudit(
  { audit }: Pick<AccessStore, 'audit'>,
  onEntry: (row: AuditRow) => void = () => undefined,
): Promise<readonly Damage[]> {
  const damage: Damage[] = []
  let later: AuditRow | undefined
  const check = (earlier: AuditRow | undefined): void => {
    if (later === undefined) return
    const [expected] = chainActions(earlier, [later])
    if (expected?.number === later.number && expected.chain === later.chain) return
    const message = `Entry ${later.number} of the audit trail does not continue the chain: this entry or an earlier one was changed`
    damage.push({ scope: '', session: '', seq: null, what: 'audit', data: 'primary', message, remedy: 'restore' })
  }
  for (let before = Number.MAX_SAFE_INTEGER; ;) {
    const rows = await audit({ before, limit: LIMIT_MAX })
    for (const row of rows) {
      check(row)
      onEntry(row)
      later = row
    }
    if (rows.length < LIMIT_MAX) break
    before = later?.number ?? 0
  }
  check(undefined)
  return damage
}

/** Rows for actions, each chained to the one before, so that a later change or removal shows. */
export function chainActions(last: AuditRow | undefined, actions: readonly AuditedAction[]): readonly AuditRow[] {
  let { number, chain } = last ?? { number: 0, chain: '' }
  return actions.map((action) => {
    number += 1
    const { at, keyId, action: what, scope, status, ids, digest } = action
    chain = hash('sha256', JSON.stringify([chain, number, at, keyId, what, scope, status, ids, digest]))
    return { ...action, number, chain }
  })
}
