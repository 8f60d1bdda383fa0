import { hash } from 'node:crypto'
import type { ArchiveRow, ArchiveStore, ArchiveRange } from '../ports/archive-store.ts'
import type { Blob, LogStore } from '../ports/log-store.ts'
import type { Store } from '../ports/store.ts'
import { type KeyRing, checkKeyOwner } from './key-ring.ts'
import type { Resealer } from './resealer.ts'
import { keyOfBytes, openBlob } from './seal-rows.ts'
import { SealedBlobs } from './sealed-blobs.ts'

/**
 * The blobs of a place as an archive has them: each once, in the order of their hashes, whatever names they are stored under and
 * however many sessions have one of their own. Those whose key is gone are nobody's.
 */
export class BlobIndex {
  readonly #log: LogStore
  readonly #ring: KeyRing
  readonly #entries: readonly Entry[]

  private constructor(log: LogStore, ring: KeyRing, entries: readonly Entry[]) {
    this.#log = log
    this.#ring = ring
    this.#entries = entries
  }

  static async of(
    { archive, log }: Pick<Store, 'archive' | 'log'>,
    ring: KeyRing,
    resealer: Pick<Resealer, 'undisturbed'>,
    place: ArchiveRange,
  ): Promise<BlobIndex> {
    const entries = await resealer.undisturbed(() => entriesOf(archive, ring, place))
    return new BlobIndex(log, ring, entries)
  }

  async rows(after: ArchiveRow | undefined, limit: number): Promise<readonly ArchiveRow[]> {
    const start =
      after === undefined
        ? 0
        : this.#entries.findIndex(
            (entry) => inOrder({ scope: String(after['scope']), hash: String(after['hash']) }, entry) < 0,
          )
    const rows: ArchiveRow[] = []
    for (const { scope, hash: wanted, name } of start < 0 ? [] : this.#entries.slice(start, start + limit)) {
      const [blob] = await this.#log.blobs(scope, [name])
      const bytes = blob === undefined ? undefined : await openStored(this.#ring, scope, blob)
      // With another key, it has another name.
      const [moved] = bytes === undefined ? await new SealedBlobs(this.#log, this.#ring).read(scope, [wanted]) : []
      const now = bytes ?? moved?.bytes
      if (now !== undefined) rows.push({ scope, hash: wanted, bytes: now })
    }
    return rows
  }
}

async function entriesOf(archive: ArchiveStore, ring: KeyRing, place: ArchiveRange): Promise<readonly Entry[]> {
  const found = new Map<string, Entry>()
  // One at a time: a page of them would be a gigabyte.
  for (let after: ArchiveRow | undefined; ;) {
    const [row] = await archive.rows('blob', place, { after, limit: 1 })
    if (row === undefined) break
    after = row
    const scope = String(row['scope'])
    const name = String(row['hash'])
    const bytes = await openStored(ring, scope, { hash: name, bytes: row['bytes'] as Uint8Array })
    if (bytes === undefined) continue
    const entry = { scope, name, hash: hash('sha256', bytes) }
    found.set(JSON.stringify([scope, entry.hash]), entry)
  }
  return [...found.values()].toSorted(inOrder)
}

interface Entry {
  readonly scope: string
  readonly hash: string
  readonly name: string
}

async function openStored(ring: KeyRing, scope: string, blob: Blob): Promise<Uint8Array | undefined> {
  const id = keyOfBytes(blob.bytes)
  if (id === undefined) return blob.bytes
  const key = await ring.byId(id)
  return key === undefined ? undefined : openBlob(checkKeyOwner(key, scope, new Set([key.session])), blob)
}

/** As the database compares them: by bytes. */
function inOrder(a: Pick<Entry, 'scope' | 'hash'>, b: Pick<Entry, 'scope' | 'hash'>): number {
  return (
    Buffer.compare(Buffer.from(a.scope), Buffer.from(b.scope)) ||
    Buffer.compare(Buffer.from(a.hash), Buffer.from(b.hash))
  )
}
