import { isSealed, keyOfSealed } from '../domain/sealed.ts'
import type { ArchiveRow, ArchiveStore, ArchiveRange } from '../ports/archive-store.ts'
import type { LogStore, SessionHead } from '../ports/log-store.ts'
import type { Store } from '../ports/store.ts'
import { BlobIndex } from './blob-index.ts'
import type { DataKey, KeyRing } from './key-ring.ts'
import { keyDestroyed } from './missing-key.ts'
import { moveRows } from './move-rows.ts'
import type { Resealer } from './resealer.ts'
import { keyOfBytes, openBytes, sealBlob, sealBytes } from './seal-rows.ts'
import { SealedBlobs } from './sealed-blobs.ts'
import { openStateRow, sealValue } from './wrap-state.ts'

/** Rows for archives, decrypted on their way out and encrypted on their way in. An archive itself is not encrypted. */
export function wrapArchive(store: Store<'stored'>, ring: KeyRing, resealer: Resealer): ArchiveStore {
  const { archive, log } = store
  const blobs = new SealedBlobs(log, ring)
  /** One for each time that somebody reads all blobs of a place. */
  const indexes = new WeakMap<ArchiveRange, BlobIndex>()
  return {
    ...archive,
    rows: async (kind, place, { after, limit }) => {
      if (kind === 'blob') {
        const kept = after === undefined ? undefined : indexes.get(place)
        const index = kept ?? (await BlobIndex.of(store, ring, resealer, place))
        indexes.set(place, index)
        return index.rows(after, limit)
      }
      const opened: ArchiveRow[] = []
      for (const row of await archive.rows(kind, place, { after, limit }))
        opened.push(await openArchiveRow(ring, kind, row))
      return opened
    },
    put: async (kind, place, rows) => {
      const sealed: ArchiveRow[] = []
      const of = kind === 'operation' ? await sessionOf(archive, log, place) : undefined
      const key = of === undefined ? undefined : await keyIn(ring, keyOfSealed(of.description))
      for (const row of rows)
        if (kind !== 'blob' || !(await isHeld(blobs, row))) sealed.push(await sealArchiveRow(ring, kind, row, key))
      const answer = await archive.put(kind, place, sealed)
      // Sealed outside of the transaction that stored it: a session that got another key meanwhile has it with the old one.
      if (of !== undefined && (await sessionOf(archive, log, place))?.description !== of.description)
        await moveRows(store, ring, of)
      return answer
    },
  }
}

/** Some session has it, so that those who show it find it. */
async function isHeld(blobs: SealedBlobs, { scope, hash }: ArchiveRow): Promise<boolean> {
  return (await blobs.read(String(scope), [String(hash)])).length > 0
}

async function keyIn(ring: KeyRing, id: string): Promise<DataKey> {
  const key = await ring.byId(id)
  if (key === undefined) throw keyDestroyed(id)
  return key
}

async function openArchiveRow(ring: KeyRing, kind: string, row: ArchiveRow): Promise<ArchiveRow> {
  const { request, value } = row
  if (kind === 'operation' && request instanceof Uint8Array) {
    const id = keyOfBytes(request)
    if (id === undefined) return row
    return { ...row, request: openBytes(await keyIn(ring, id), ['operation', String(row['id'])], request) }
  }
  if (kind === 'state-entry' && isSealed(value)) {
    const named = { key: String(row['key']), version: Number(row['version']), value }
    const place = { scope: String(row['scope']), session: String(row['session']) }
    return { ...row, value: (await openStateRow(ring, place, String(row['section']), named)).value }
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

/** An encrypted session that is named by its number. */
async function sessionOf(
  archive: ArchiveStore,
  log: LogStore,
  { scope, session = 0 }: ArchiveRange,
): Promise<(SessionHead & { readonly description: string }) | undefined> {
  const [entry] = await archive.sessions(scope, { after: session - 1, through: session, limit: 1 })
  const head = entry === undefined ? undefined : await log.session(entry.scope, entry.name)
  const { description } = head ?? {}
  return head !== undefined && isSealed(description) ? { ...head, description } : undefined
}
