import type { Segment, SessionHead, StoredSession } from '../../ports/log-store.ts'

/** A session's row as both databases give it. */
export interface SessionRow extends Omit<StoredSession, 'parent' | 'description'> {
  readonly key: number
  /** JSON text: a description may hold any character. */
  readonly description: string
  readonly parentKey: number | null
  readonly parentName: string | null
  readonly parentSeq: number | null
  readonly parentVersion: number | null
  readonly parentLink: Uint8Array | null
}

/**
 * Puts a session's row and its ancestors' rows (nearest first, as far as there are any) together: what it sees, and where
 * those rows are.
 */
export function sessionHead(row: SessionRow, ancestors: readonly SessionRow[]): SessionHead {
  const { parentKey, parentName, parentSeq, parentVersion, parentLink } = row
  const { key, scope, name, createdAt, updatedAt, lastSeq, version, genesis, head } = row
  const parent =
    parentKey === null || parentName === null || parentSeq === null || parentVersion === null || parentLink === null
      ? null
      : { key: parentKey, name: parentName, throughSeq: parentSeq, throughVersion: parentVersion, link: parentLink }
  return {
    key,
    scope,
    name,
    description: readDescription(row.description),
    createdAt,
    updatedAt,
    lastSeq,
    version,
    genesis,
    head,
    parent,
    lineage: lineage(row, ancestors),
    orphaned: (ancestors.at(-1) ?? row).parentKey !== null,
  }
}

/** Damage must not hide the session: its first link tells that the description is not what was written. */
function readDescription(text: string): string | null {
  try {
    return JSON.parse(text) as string | null
  } catch {
    return text
  }
}

function lineage(row: SessionRow, ancestors: readonly SessionRow[]): readonly Segment[] {
  const segments: Segment[] = []
  let through = row.lastSeq
  let throughVersion = row.version
  for (const one of [row, ...ancestors]) {
    segments.unshift({ scope: one.scope, key: one.key, from: (one.parentSeq ?? 0) + 1, through, throughVersion })
    // A fork of a fork may branch off before its parent did: nobody sees more than the narrowest point allows.
    through = Math.min(through, one.parentSeq ?? 0)
    throughVersion = Math.min(throughVersion, one.parentVersion ?? 0)
  }
  return segments
}
