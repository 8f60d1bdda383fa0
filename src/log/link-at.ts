import type { LogStore, SessionHead } from '../ports/log-store.ts'
import { lastWhere } from './view.ts'

/** The link of a session's chain after a given version: it stands in the row, message or amendment, that made that version. */
export async function linkAt(store: LogStore, session: SessionHead, version: number): Promise<Uint8Array | undefined> {
  if (version === session.version) return session.head
  if (session.orphaned) return undefined
  const base = session.parent?.throughVersion ?? 0
  if (version === base) return session.genesis
  if (version < base) {
    const parent = session.parent === null ? undefined : await store.session(session.scope, session.parent.name)
    return parent === undefined ? undefined : linkAt(store, parent, version)
  }
  const query = {
    of: 'session',
    scope: session.scope,
    key: session.key,
    afterVersion: version - 1,
    throughVersion: version,
    limit: 1,
  } as const
  const [amendment] = await store.amendments(query)
  if (amendment !== undefined) return amendment.chain
  const row = await lastWhere(store, session, (candidate) => candidate.version <= version)
  return row?.version === version ? row.chain : undefined
}
