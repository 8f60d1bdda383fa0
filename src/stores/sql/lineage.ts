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
  const { key, scope, name, createdAt, updatedAt, lastSeq, version, genesis, head } = row
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
    parent: parentOf(row),
    lineage: lineage(row, ancestors),
    orphaned: (ancestors.at(-1) ?? row).parentKey !== null,
  }
}

/**
 * What a fork shares. A row that has only part of it is damaged: it is read as it is, so that the first link of the session, which
 * covers the parent, does not fit.
 */
function parentOf(row: SessionRow): StoredSession['parent'] {
  const { parentKey, parentName, parentSeq, parentVersion, parentLink } = row
  const isRoot = parentKey === null && parentSeq === null && parentVersion === null && parentLink === null
  // The parent itself may be missing.
  if (isRoot || (parentKey !== null && parentName === null)) return null
  const shared = {
    throughSeq: parentSeq ?? 0,
    throughVersion: parentVersion ?? 0,
    link: parentLink ?? new Uint8Array(),
  }
  return { key: parentKey ?? 0, name: parentName ?? '', ...shared }
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
    segments.push({ scope: one.scope, key: one.key, from: (one.parentSeq ?? 0) + 1, through, throughVersion })
    // A fork of a fork may branch off before its parent did: nobody sees more than the narrowest point allows.
    through = Math.min(through, one.parentSeq ?? 0)
    throughVersion = Math.min(throughVersion, one.parentVersion ?? 0)
  }
  return segments.toReversed()
}
