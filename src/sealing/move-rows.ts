import { isSealed, keyOfSealed, beginningsOf } from '../domain/sealed.ts'
import type { AmendmentRow, Blob } from '../ports/log-store.ts'
import type { Resealed, SealedContent, SealedKind, SessionPlace } from '../ports/reseal-store.ts'
import type { Store } from '../ports/store.ts'
import { type DataKey, type KeyRing, checkKeyOwner } from './key-ring.ts'
import { hashesIn, keyOfBytes, openBytes, openRow, sealBlob, sealBytes, sealRow } from './seal-rows.ts'
import { SealedBlobs } from './sealed-blobs.ts'

/** One transaction writes so many: others write in between. */
const ROWS_PER_STEP = 200

const STARTS: Readonly<Record<SealedKind, number | string>> = { message: 0, amendment: 0, operation: '' }
const NOTHING: Uint8Array = new Uint8Array(0)

/** Everything of a session that is sealed with another key than the one it has now is sealed with that. */
export async function moveRows(store: Store, ring: KeyRing, session: SessionPlace): Promise<void> {
  for (const kind of ['message', 'amendment', 'operation'] as const) await moveKind(store, ring, session, kind)
}

async function moveKind(store: Store, ring: KeyRing, session: SessionPlace, kind: SealedKind): Promise<void> {
  for (let after = STARTS[kind]; ;) {
    const head = await store.log.session(session.scope, session.name)
    if (head?.key !== session.key || !isSealed(head.description)) return
    const key = await ring.byId(keyOfSealed(head.description))
    // Gone with the session, or with its key file.
    if (key === undefined) return
    checkKeyOwner(key, session.scope, new Set([session.name]))
    const { text, bytes } = beginningsOf(key.id)
    const page = { but: kind === 'operation' ? bytes : text, after, limit: ROWS_PER_STEP }
    const rows = await store.reseal.rows(session, kind, page)
    if (rows.length === 0) return
    const moved = await step(store, ring, { session, kind, key, rows })
    // With another key by now, the same rows are sealed again.
    if (await store.reseal.replace(session, head.description, moved.resealed)) after = moved.through
  }
}

interface Task {
  readonly session: SessionPlace
  readonly kind: SealedKind
  readonly key: DataKey
  readonly rows: readonly SealedContent[]
}

/** As many rows as show no blobs; or one that does, with its blobs, of which a page may have too many for the memory of a process. */
async function step(
  store: Store,
  ring: KeyRing,
  { session, kind, key, rows }: Task,
): Promise<{ readonly resealed: Resealed; readonly through: number | string }> {
  const moved: Resealed['rows'][number][] = []
  let through: number | string = STARTS[kind]
  for (const row of rows) {
    const { place, content } = row
    const former = await formerKey(ring, session, content)
    const again = former === undefined ? undefined : sealAgain(former, key, row)
    if (again !== undefined && again.hashes.length > 0 && moved.length > 0) break
    through = place
    // One whose key is gone is lost already.
    if (again === undefined) continue
    moved.push({ place, from: content, to: again.content })
    if (again.hashes.length === 0) continue
    const held = new SealedBlobs(store.log, ring)
    // Else every key of the scope would be tried.
    for (const own of [former, key]) if (own !== undefined) held.saw(own, again.hashes)
    const blobs = await held.read(session.scope, again.hashes)
    return { resealed: { kind, rows: moved, blobs: blobs.map((blob: Blob) => sealBlob(key, blob)) }, through }
  }
  return { resealed: { kind, rows: moved, blobs: [] }, through }
}

async function formerKey(
  ring: KeyRing,
  { scope, name }: SessionPlace,
  content: SealedContent['content'],
): Promise<DataKey | undefined> {
  const id = typeof content === 'string' ? keyOfSealed(content) : keyOfBytes(content)
  const key = id === undefined ? undefined : await ring.byId(id)
  return key && checkKeyOwner(key, scope, new Set([name]))
}

function sealAgain(
  former: DataKey,
  key: DataKey,
  { place, seq, version, kind, content }: SealedContent,
): { readonly content: string | Uint8Array; readonly hashes: readonly string[] } {
  if (typeof content !== 'string') {
    const where = ['operation', String(place)]
    return { content: sealBytes(key, where, openBytes(former, where, content)), hashes: [] }
  }
  const named = kind === null ? {} : { kind: kind as AmendmentRow['kind'] }
  const opened = openRow(former, { seq, version, ...named, body: content, salt: NOTHING })
  // A compaction has no copies of its own: it mentions what messages show.
  const hashes = kind === null || kind === 'revise' ? hashesIn(opened.body) : []
  return { content: sealRow(key, opened).body, hashes }
}
