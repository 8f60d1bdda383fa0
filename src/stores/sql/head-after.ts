import type { Decision, SessionHead } from '../../ports/log-store.ts'

/** A session as it stands once a decision is written. `before`: as it stood, or at least its key. */
export function headAfter(
  before: Pick<SessionHead, 'key'> & Partial<SessionHead>,
  { session }: NonNullable<Decision<unknown>['write']>,
): SessionHead {
  const { scope, lastSeq, version } = session
  const { key, lineage = [], orphaned = false } = before
  const own = { scope, key, from: lineage.at(-1)?.from ?? 1, through: lastSeq, throughVersion: version }
  return { ...session, key, lineage: [...lineage.slice(0, -1), own], orphaned }
}
