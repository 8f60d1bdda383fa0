import { hash } from 'node:crypto'
import { isSealed, keyOfSealed } from '../domain/sealed.ts'
import type { ArchiveRow, ArchiveStore, Place } from '../ports/archive-store.ts'
import type { LogStore } from '../ports/log-store.ts'
import type { DataKey, KeyRing } from './key-ring.ts'
import { keyDestroyed } from './missing-key.ts'
import { keyOfBytes, openBlob, openBytes, sealBlob, sealBytes } from './seal-rows.ts'
import { openStateRow, sealValue } from './sealed-state.ts'

/** Rows for archives, decrypted on their way out and encrypted on their way in. An archive itself is not encrypted. */
export function sealedArchive(archive: ArchiveStore, log: LogStore, ring: KeyRing): ArchiveStore {
  /** Rows as they are stored: paging goes on behind those. */
  const stored = new WeakMap<ArchiveRow, ArchiveRow>()
  return {
    ...archive,
    rows: async (kind, place, { after, limit }) => {
      const before = after === undefined ? undefined : (stored.get(after) ?? after)
      const rows = await archive.rows(kind, place, { after: before, limit })
      const opened: ArchiveRow[] = []
      for (const row of rows) {
        const read = await openArchiveRow(ring, kind, row)
        stored.set(read, row)
        opened.push(read)
      }
      return opened
    },
    put: async (kind, place, rows) => {
      const sealed: ArchiveRow[] = []
      const key = kind === 'operation' ? await keyOfPlace(archive, log, ring, place) : undefined
      for (const row of rows) sealed.push(await sealArchiveRow(ring, kind, row, key))
      return archive.put(kind, place, sealed)
    },
  }
}

async function keyIn(ring: KeyRing, id: string): Promise<DataKey> {
  const key = await ring.byId(id)
  if (key === undefined) throw keyDestroyed(id)
  return key
}

async function openArchiveRow(ring: KeyRing, kind: string, row: ArchiveRow): Promise<ArchiveRow> {
  const { request, bytes, value } = row
  if (kind === 'operation' && request instanceof Uint8Array) {
    const id = keyOfBytes(request)
    if (id === undefined) return row
    return { ...row, request: openBytes(await keyIn(ring, id), ['operation', String(row['id'])], request) }
  }
  if (kind === 'blob' && bytes instanceof Uint8Array) {
    const id = keyOfBytes(bytes)
    if (id === undefined) return row
    const opened = openBlob(await keyIn(ring, id), { hash: String(row['hash']), bytes })
    return { ...row, hash: hash('sha256', opened), bytes: opened }
  }
  if (kind === 'state-entry' && isSealed(value)) {
    const named = { key: String(row['key']), version: Number(row['version']), value }
    return { ...row, value: (await openStateRow(ring, String(row['section']), named)).value }
  }
  return row
}

async function sealArchiveRow(
  ring: KeyRing,
  kind: string,
  row: ArchiveRow,
  key: DataKey | undefined,
): Promise<ArchiveRow> {
  const { request, bytes, value } = row
  if (kind === 'operation' && request instanceof Uint8Array && key !== undefined)
    return { ...row, request: sealBytes(key, ['operation', String(row['id'])], request) }
  // Blobs come before the sessions that show them, which then make copies of their own: these are for them to find.
  if (kind === 'blob' && bytes instanceof Uint8Array)
    return { ...row, ...sealBlob(ring.passing(String(row['scope'])), { hash: String(row['hash']), bytes }) }
  if (kind === 'state-entry' && typeof value === 'string') {
    const own = await ring.forState(String(row['scope']), String(row['session']))
    const named = { key: String(row['key']), version: Number(row['version']) }
    return { ...row, value: sealValue(own, String(row['section']), named, value) }
  }
  return row
}

/** The key of a session that is named by its number. */
async function keyOfPlace(
  archive: ArchiveStore,
  log: LogStore,
  ring: KeyRing,
  { scope, session = 0 }: Place,
): Promise<DataKey | undefined> {
  const [entry] = await archive.sessions(scope, { after: session - 1, through: session, limit: 1 })
  const head = entry === undefined ? undefined : await log.session(entry.scope, entry.name)
  return isSealed(head?.description) ? keyIn(ring, keyOfSealed(head?.description ?? '')) : undefined
}
