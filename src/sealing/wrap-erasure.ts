import { isSealed, keyOfSealed } from '../domain/sealed.ts'
import type { ErasureStore, SessionErasure } from '../ports/erasure-store.ts'
import type { AmendmentRow, LogStore } from '../ports/log-store.ts'
import type { DataKey, KeyRing } from './key-ring.ts'
import { contentKeyNeeded, keyDestroyed } from './missing-key.ts'
import type { Resealer } from './resealer.ts'
import { answersKey } from './wrap-access.ts'
import { borrowedKeys, contextsKey } from './wrap-contexts.ts'
import { sealDescription, sealRow } from './seal-rows.ts'

export interface ErasureKeys {
  readonly log: LogStore<'stored'>
  readonly ring: KeyRing
  readonly resealer: Resealer
}

/**
 * Forgetting. With keys, those of a session that is destroyed are destroyed before its rows: a crash in between forgets more than was
 * asked for, and the rest follows. Folds that are written again are sealed again, and a session that stays gets another key. Without
 * keys, an encrypted session is refused: its data key would stay, and old backups could be read with it.
 */
export function wrapErasure(erasure: ErasureStore, keys: ErasureKeys | undefined): ErasureStore {
  return keys === undefined ? withoutKeys(erasure) : withKeys(erasure, keys)
}

function withoutKeys(erasure: ErasureStore): ErasureStore {
  return {
    ...erasure,
    family: async (scope, session) => {
      const family = await erasure.family(scope, session)
      for (const { name, description } of family) if (isSealed(description)) throw contentKeyNeeded(name)
      return family
    },
  }
}

function withKeys(erasure: ErasureStore, { log, ring, resealer }: ErasureKeys): ErasureStore {
  /** Of what is being forgotten: it may take several attempts. */
  const gone = new Map<string, Set<string>>()
  return {
    ...erasure,
    erase: async (order) => {
      const sessions: SessionErasure[] = []
      const destroyed = gone.get(order.id) ?? new Set<string>()
      gone.set(order.id, destroyed)
      const answers = await answersKey(ring)
      const toDestroy: string[] = []
      const contexts: (string | undefined)[] = []
      for (const session of order.sessions) {
        const head = await log.session(session.scope, session.name)
        const sealedAs = head?.key === session.key && isSealed(head.description) ? head.description : undefined
        if (session.what === 'all') toDestroy.push(...(await keysOf(ring, resealer, session, sealedAs)))
        else contexts.push(await contextsKey(ring, session))
        sessions.push(sealedAs === undefined ? session : await sealWritten(log, ring, { ...session, sealedAs }))
      }
      for (const id of toDestroy) destroyed.add(id)
      // Kept answers may quote anything, and all of them are emptied whatever is forgotten. So may kept contexts of these sessions,
      // and those of the scope and below that show what belongs to others.
      const borrowed = await borrowedKeys(ring, order.scope)
      await ring.destroy([answers, ...borrowed, ...contexts, ...toDestroy].filter((id) => id !== undefined))
      const told = new Map(order.sessions.map((session) => [session.key, session]))
      const counts = await erasure.erase({
        ...order,
        sessions,
        keys: { destroyed: destroyed.size, resealing: sessions.filter(getsAnotherKey).map(placeOf) },
        // The log says what was written again by the digest of what it says, not of how it is kept.
        amend: (head, session) => order.amend(head, told.get(session.key) ?? session),
      })
      if (counts !== undefined) gone.delete(order.id)
      return counts
    },
  }
}

function getsAnotherKey({ what, sealedAs }: SessionErasure): boolean {
  return what !== 'all' && sealedAs !== undefined
}

function placeOf({ scope, name, key }: SessionErasure): Pick<SessionErasure, 'scope' | 'name' | 'key'> {
  return { scope, name, key }
}

/** All that a session which goes has, or had and still needs. */
async function keysOf(
  ring: KeyRing,
  resealer: Resealer,
  session: SessionErasure,
  description: string | undefined,
): Promise<readonly string[]> {
  const { scope, name } = session
  const ids = description === undefined ? [] : [keyOfSealed(description), ...(await resealer.retired(session))]
  const own: string[] = []
  for (const id of ids) {
    const key = await ring.byId(id)
    // Its own: whoever put another's name into its row would have that one's key destroyed.
    if (key !== undefined && key.scope === scope && key.session === name) own.push(id)
  }
  return [...own, ...(await ring.stateKeysOf(scope, name))]
}

/** What is written in the place of what goes: folds, and a description. */
async function sealWritten(
  log: LogStore,
  ring: KeyRing,
  session: SessionErasure & { readonly sealedAs: string },
): Promise<SessionErasure> {
  if (session.rewrite.length === 0 && session.description === undefined) return session
  const id = keyOfSealed(session.sealedAs)
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
