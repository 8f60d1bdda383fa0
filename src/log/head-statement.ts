import { setImmediate } from 'node:timers/promises'
import { defined } from '../domain/defined.ts'
import type { MemoryHead, SessionPosition } from '../api/upkeep.ts'
import type { AccessStore } from '../ports/access-store.ts'
import type { Store } from '../ports/store.ts'
import { isPiecesPlace } from '../domain/pieces-place.ts'
import { RowHashes } from './stated-rows.ts'
import { verifyRows } from './verify-rows.ts'

const ROWS_PER_PAGE = 500

/** What a statement of heads is read from. */
type HeadSources = Pick<Store, 'log' | 'archive' | 'access' | 'integrity'>

/** States where each session, the facts of each root scope, each state and the audit trail end now, and which other rows there are. */
export async function headStatement(store: HeadSources, now: number): Promise<MemoryHead> {
  return {
    format: 'daybook-head-2',
    at: new Date(now).toISOString(),
    sessions: await sessionPositions(store),
    knowledge: await knowledgePositions(store),
    state: await statePositions(store),
    audit: await auditPosition(store.access),
    rows: await statedRows(store),
  }
}

async function statedRows({ integrity }: HeadSources): Promise<MemoryHead['rows']> {
  const hashes = new RowHashes()
  await verifyRows(integrity, (rows) => hashes.add(rows))
  return hashes.stated()
}

async function sessionPositions({ log }: HeadSources): Promise<readonly SessionPosition[]> {
  const found: SessionPosition[] = []
  for (let before: number | undefined; ;) {
    const page = await log.sessions({ everyScope: true }, { limit: ROWS_PER_PAGE, ...defined({ before }) })
    for (const { key, scope, name, lastSeq, version, head } of page)
      found.push({ key, scope, session: name, seq: lastSeq, version, link: Buffer.from(head).toString('hex') })
    before = page.at(-1)?.key
    if (page.length < ROWS_PER_PAGE) return found.toReversed()
    await setImmediate()
  }
}

async function knowledgePositions({ archive }: HeadSources): Promise<MemoryHead['knowledge']> {
  const found: MemoryHead['knowledge'][number][] = []
  for (let after = ''; ;) {
    const page = await archive.roots({ after, limit: ROWS_PER_PAGE })
    found.push(...page.map(({ root, version }) => ({ root, version })))
    after = page.at(-1)?.root ?? ''
    if (page.length < ROWS_PER_PAGE) return found
    await setImmediate()
  }
}

async function statePositions({ integrity }: HeadSources): Promise<MemoryHead['state']> {
  const found: MemoryHead['state'][number][] = []
  for (let after = { scope: '', session: '' }; ;) {
    const page = await integrity.states({ after, limit: ROWS_PER_PAGE })
    const lasting = page.filter(({ session }) => !isPiecesPlace(session))
    found.push(...lasting.map(({ scope, session, version }) => ({ scope, session, version })))
    after = page.at(-1) ?? after
    if (page.length < ROWS_PER_PAGE) return found
    await setImmediate()
  }
}

async function auditPosition({ audit }: AccessStore): Promise<MemoryHead['audit']> {
  const [last] = await audit({ before: Number.MAX_SAFE_INTEGER, limit: 1 })
  return last === undefined ? null : { number: last.number, chain: last.chain }
}
