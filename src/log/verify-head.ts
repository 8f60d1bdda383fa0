import { setImmediate } from 'node:timers/promises'
import type { Damage, HeadReport, MemoryHead, SessionPosition } from '../api/upkeep.ts'
import type { Store } from '../ports/store.ts'
import { linkAt } from './link-at.ts'
import type { MissingRows } from './missing-rows.ts'

const SESSIONS_PER_TURN = 64

type HeadSources = Pick<Store, 'log' | 'archive' | 'access' | 'integrity'>

/**
 * Compares what is stored with a statement of where it once ended. Each session must continue the chain that the statement names;
 * one that is missing must have been forgotten. All stored rows were given to `missing` before.
 */
export async function verifyHead(
  store: HeadSources,
  statement: MemoryHead,
  missing: MissingRows,
): Promise<{ readonly head: HeadReport; readonly damage: readonly Damage[] }> {
  const damage: Damage[] = []
  let forgotten = 0
  for (const [nth, position] of statement.sessions.entries()) {
    const found = await checkSession(store, position)
    if (found === 'forgotten') forgotten += 1
    else if (found !== undefined) damage.push(damageOf(found, position))
    if (nth % SESSIONS_PER_TURN === 0) await setImmediate()
  }
  for (const { root, version } of statement.knowledge) {
    const now = await store.archive.rootVersion(root)
    if (now < version)
      damage.push(
        damageOf(
          `The knowledge of ${JSON.stringify(root)} ends at version ${now}, but earlier it ended at ${version}`,
          {
            scope: root,
          },
        ),
      )
  }
  const { rows, gone, damage: gaps } = await missing.end(store.integrity)
  damage.push(...(await checkStates(store, statement, missing)), ...(await checkAudit(store, statement)), ...gaps)
  return { head: { at: statement.at, sessions: statement.sessions.length, forgotten, rows, gone }, damage }
}

async function checkSession(
  { log, integrity }: HeadSources,
  { key, scope, session: name, seq, version, link }: SessionPosition,
): Promise<string | 'forgotten' | undefined> {
  const session = await log.session(scope, name)
  if (session?.key !== key) {
    const tombstone = await integrity.forgottenSession(key)
    if (tombstone !== undefined && tombstone.lastSeq >= seq) return 'forgotten'
    if (session === undefined) return `The session is missing; it had ${seq} messages`
  }
  if (session.version < version)
    return `The session ends at version ${session.version}, but earlier it ended at ${version}: the end was cut off`
  const found = await linkAt(log, session, version)
  if (found !== undefined && Buffer.from(found).toString('hex') === link) return undefined
  return `The session is not the one that ended at version ${version}: its rows were replaced`
}

/** A state that is missing, or was begun again, must have been forgotten. */
async function checkStates(
  { integrity }: HeadSources,
  { state }: MemoryHead,
  missing: MissingRows,
): Promise<readonly Damage[]> {
  const damage: Damage[] = []
  for (const [nth, { scope, session, version }] of state.entries()) {
    const now = await integrity.stateVersion({ scope, session })
    if ((now ?? 0) < version && !missing.isStateForgotten(scope, session)) {
      const message =
        now === undefined
          ? `The state is missing; earlier it ended at version ${version}`
          : `The state ends at version ${now}, but earlier it ended at ${version}: the end was cut off`
      damage.push(damageOf(message, { scope, session }))
    }
    if (nth % SESSIONS_PER_TURN === 0) await setImmediate()
  }
  return damage
}

async function checkAudit({ access }: HeadSources, { audit }: MemoryHead): Promise<readonly Damage[]> {
  if (audit === null) return []
  const [row] = await access.audit({ before: audit.number + 1, limit: 1 })
  if (row?.number === audit.number && row.chain === audit.chain) return []
  const message =
    row === undefined || row.number < audit.number
      ? `The audit trail ends at entry ${row?.number ?? 0}, but earlier it ended at ${audit.number}: the end was cut off`
      : `Entry ${audit.number} of the audit trail is not the one in the statement: entries were replaced`
  return [{ ...damageOf(message, {}), what: 'audit' }]
}

function damageOf(message: string, { scope = '', session = '' }: Partial<Pick<Damage, 'scope' | 'session'>>): Damage {
  return { scope, session, seq: null, what: 'head', data: 'primary', message, remedy: 'restore' }
}
