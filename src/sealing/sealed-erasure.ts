import { isSealed, keyOfSealed } from '../domain/sealed.ts'
import type { ErasureStore, SessionErasure } from '../ports/erasure-store.ts'
import type { AmendmentRow, LogStore } from '../ports/log-store.ts'
import type { DataKey, KeyRing } from './key-ring.ts'
import { keyDestroyed } from './missing-key.ts'
import { answersKey } from './sealed-access.ts'
import { sealDescription, sealRow } from './seal-rows.ts'

/**
 * Forgetting, where content is encrypted. The keys of a session that goes are destroyed before its rows are: who is stopped in
 * between has forgotten more than was asked for, and the rest follows. Folds that are told again are sealed again.
 */
export function sealedErasure(erasure: ErasureStore, log: LogStore, ring: KeyRing): ErasureStore {
  return {
    ...erasure,
    erase: async (order) => {
      await ring.destroy(await keysOf(log, ring, order.sessions))
      const sessions: SessionErasure[] = []
      for (const session of order.sessions) sessions.push(await sealWritten(log, ring, session))
      const told = new Map(order.sessions.map((session) => [session.key, session]))
      return erasure.erase({
        ...order,
        sessions,
        // The log says what was written again by the digest of what it says, not of how it is kept.
        amend: (head, session) => order.amend(head, told.get(session.key) ?? session),
      })
    },
  }
}

async function keysOf(log: LogStore, ring: KeyRing, sessions: readonly SessionErasure[]): Promise<readonly string[]> {
  const ids: string[] = []
  // Kept answers may quote anything, and all of them are emptied whatever is forgotten.
  const answers = await answersKey(ring)
  if (answers !== undefined) ids.push(answers)
  for (const { scope, name, key, what } of sessions) {
    if (what !== 'all') continue
    const head = await log.session(scope, name)
    const id = head?.key === key && isSealed(head.description) ? keyOfSealed(head.description) : undefined
    const own = id === undefined ? undefined : await ring.byId(id)
    // Its own: whoever put another's name into its row would have that one's key destroyed.
    if (own !== undefined && own.scope === scope && own.session === name) ids.push(own.id)
    const state = await ring.stateKeyOf(scope, name)
    if (state !== undefined) ids.push(state)
  }
  return ids
}

/** What is written in the place of what goes: folds, and a description. */
async function sealWritten(log: LogStore, ring: KeyRing, session: SessionErasure): Promise<SessionErasure> {
  if (session.rewrite.length === 0 && session.description === undefined) return session
  const head = await log.session(session.scope, session.name)
  if (!isSealed(head?.description)) return session
  const id = keyOfSealed(head?.description ?? '')
  const key: DataKey | undefined = await ring.byId(id)
  if (key === undefined) throw keyDestroyed(id)
  const rewrite: SessionErasure['rewrite'][number][] = []
  for (const row of session.rewrite) {
    const stored = await compactionAt(log, session, row.version)
    const { body, salt } = sealRow(key, { ...row, kind: 'compact' as const, seq: stored?.seq ?? 0 })
    rewrite.push({ version: row.version, body, salt })
  }
  // Its row names the session's key in its description, whatever that says.
  const { description } = session
  const sealed = description === undefined ? {} : { description: sealDescription(key, description) }
  return { ...session, rewrite, ...sealed }
}

async function compactionAt(
  log: LogStore,
  { scope, key }: SessionErasure,
  version: number,
): Promise<AmendmentRow | undefined> {
  const [row] = await log.amendments({
    of: 'session',
    scope,
    key,
    afterVersion: version - 1,
    throughVersion: version,
    limit: 1,
  })
  return row
}
