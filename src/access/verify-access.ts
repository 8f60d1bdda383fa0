import type { Damage } from '../api/upkeep.ts'
import type { AccessStore } from '../ports/access-store.ts'
import { verifyAudit } from './audit.ts'
import { KeyCheck } from './key-check.ts'

/** Walks the audit trail, and compares keys with what it says was done to them. */
export async function verifyAccess(store: Pick<AccessStore, 'audit' | 'keys'>): Promise<readonly Damage[]> {
  const keys = new KeyCheck()
  const audit = await verifyAudit(store, keys.entry)
  return [...audit, ...keys.damage(await store.keys())]
}
