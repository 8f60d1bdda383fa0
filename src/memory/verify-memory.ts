import { defined } from '../domain/defined.ts'
import type { VerifyOptions, VerifyReport } from '../api/upkeep.ts'
import { verifyAccess } from '../access/verify-access.ts'
import { verify } from '../log/verify.ts'
import { MissingRows } from '../log/missing-rows.ts'
import { verifyHead } from '../log/verify-head.ts'
import { verifyRows } from '../log/verify-rows.ts'
import { openScratch } from '../opening/open-scratch.ts'
import type { Wiring } from './wiring.ts'

/** Checks everything that is stored, part by part, and puts the findings together. */
export async function verifyMemory(parts: Wiring, options: VerifyOptions): Promise<VerifyReport> {
  const { head, index = true, onProgress } = options
  const { store, stored, recall, log } = parts
  // A large file is checked in a thread of its own. Nobody may close the file before that thread has, whatever else fails.
  const checks = [store.check(), verify(stored, store.integrity, onProgress)] as const
  await Promise.allSettled(checks)
  const [file, report] = await Promise.all(checks)
  const missing = head === undefined ? undefined : new MissingRows(head)
  const { rows, damage: changed } = await verifyRows(store.integrity, missing?.found)
  const access = await verifyAccess(store.access)
  const compared =
    head === undefined || missing === undefined ? undefined : await verifyHead({ ...store, log: stored }, head, missing)
  const indexed = index
    ? await (
        await import('../recall/verify-index.ts')
      ).verifyIndex({ store, posting: recall, openScratch: () => openScratch(log.clock) })
    : undefined
  const damage = [...report.damage, ...access, ...changed, ...(compared?.damage ?? []), ...(indexed?.damage ?? [])]
  return {
    ok: file.length === 0 && damage.length === 0,
    file,
    rows,
    ...report,
    ...defined({ head: compared?.head, index: indexed?.index }),
    damage,
  }
}
