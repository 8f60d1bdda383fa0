import { setImmediate } from 'node:timers/promises'
import type { Damage } from '../api/upkeep.ts'
import type { ChangedRow, IntegrityPlace, IntegrityStore, StatedRow } from '../ports/integrity-store.ts'

/** Reads all rows that have a digest of their own, and reports those that are not what was written. Passes on what may not vanish. */
export async function verifyRows(
  store: Pick<IntegrityStore, 'page'>,
  onStated?: (rows: readonly StatedRow[]) => void,
): Promise<{ readonly rows: number; readonly damage: readonly Damage[] }> {
  const damage: Damage[] = []
  let rows = 0
  for (let from: IntegrityPlace | undefined = { table: 0 }; from !== undefined;) {
    const page: Awaited<ReturnType<IntegrityStore['page']>> = await store.page(from, {
      stated: onStated !== undefined,
    })
    damage.push(...page.changed.map(damageOf))
    onStated?.(page.stated)
    rows += page.read
    from = page.next
    await setImmediate()
  }
  return { rows, damage }
}

function damageOf({ table, holds, key, problem }: ChangedRow): Damage {
  const { scope, session } = key
  return {
    scope: typeof scope === 'string' ? scope : '',
    session: typeof session === 'string' ? session : '',
    seq: null,
    what: 'row',
    data: holds,
    message: `Row ${JSON.stringify(key)} of table ${table} ${problem}`,
    remedy: holds === 'primary' ? 'restore' : 'rebuild',
  }
}
