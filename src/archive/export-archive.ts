import { defined } from '../domain/defined.ts'
import type { ExportOptions } from '../api/archive.ts'
import { ownerOf } from '../domain/block-place.ts'
import { MemoryError } from '../domain/error.ts'
import { forgottenStateName } from '../domain/forgotten-state-name.ts'
import { blobHashes } from '../domain/media-parts.ts'
import { type Body, readBody } from '../log/body.ts'
import { forgottenName } from '../log/forgotten.ts'
import type { ArchiveRow, ArchiveTable, ArchiveRange } from '../ports/archive-store.ts'
import type { SessionHead } from '../ports/log-store.ts'
import type { StatePlace } from '../ports/state-store.ts'
import type { Store } from '../ports/store.ts'
import { forgottenStates } from './forgotten-states.ts'
import { logEntries } from './log-entries.ts'
import { ARCHIVE_FORMAT, ARCHIVE_VERSION, type RecordShape, logShapes, writeRow } from './records.ts'
import { ChainWriter } from './hash-chain.ts'

const SESSIONS_PER_PAGE = 500
const ROWS_PER_PAGE = 256
const PIECE_CHARACTERS = 64 * 1024

export type ArchivedStore = Pick<Store, 'log' | 'archive'>

/**
 * The archive, in pieces of whole lines; the next rows are read when a piece was taken. Others may write meanwhile: each
 * session is as it was when its turn came, and so is what each root knows.
 *
 * @throws {MemoryError} `log/not-found` if there is no such session; `store/corrupt` if stored data has changed since it was written.
 */
export async function* exportArchive(store: ArchivedStore, options: ExportOptions = {}): AsyncGenerator<string> {
  const { scope, session, onProgress } = options
  const of = defined({ scope, session })
  const sealer = new ChainWriter()
  let piece = sealer.line({ kind: 'manifest', format: ARCHIVE_FORMAT, version: ARCHIVE_VERSION, of })
  const records =
    scope !== undefined && session !== undefined
      ? recordsOfSession(store, scope, session)
      : recordsOfScope(store, scope ?? null)
  for await (const [shape, row] of records) {
    piece += sealer.line({ kind: shape.kind, row: writeRow(shape, row) })
    if (piece.length < PIECE_CHARACTERS) continue
    yield piece
    piece = ''
    onProgress?.({ records: sealer.records, bytes: sealer.bytes })
  }
  yield piece + sealer.end()
  onProgress?.({ records: sealer.records, bytes: sealer.bytes })
}

type Records = AsyncGenerator<readonly [RecordShape, ArchiveRow]>

async function* recordsOfScope(store: ArchivedStore, scope: string | null): Records {
  // Sessions that begin later are not in it: a fork's parent could be in it without what was forked.
  const [newest] = await store.log.sessions({ everyScope: true }, { limit: 1 })
  yield* tablesOf(store, 'scope', { scope })
  for (let after = 0; ;) {
    const page = await store.archive.sessions(scope, { after, through: newest?.key ?? 0, limit: SESSIONS_PER_PAGE })
    for (const { scope: of, name } of page) {
      const session = await store.log.session(of, name)
      if (session !== undefined) yield* recordsOf(store, session)
    }
    const last = page.at(-1)
    if (last === undefined) break
    after = last.key
  }
  yield* tablesOf(store, 'state', { scope })
  yield* knowledge(store, scope)
}

/** A fork is nothing without those it was forked from, so they come along. What the scope knows does not. */
async function* recordsOfSession(store: ArchivedStore, scope: string, name: string): Records {
  const line: SessionHead[] = []
  for (let next: string | undefined = name; next !== undefined;) {
    const session: SessionHead | undefined = await store.log.session(scope, next)
    if (session === undefined || session.orphaned) throw missing(scope, next, session)
    line.unshift(session)
    next = session.parent?.name
  }
  const hashes = new Set<string>()
  for (const session of line) for await (const entry of logEntries(store.log, session)) addBlobs(hashes, entry.row.body)
  for (const hash of [...hashes].toSorted()) {
    const [blob] = await store.log.blobs(scope, [hash])
    const table = store.archive.tables.find(({ kind }) => kind === 'blob')
    if (blob !== undefined && table !== undefined) yield [table, { scope, ...blob }]
  }
  for (const session of line) yield* recordsOf(store, session)
  const names = new Set(line.map((session) => session.name))
  const forgotten = await forgottenStates(store.archive, scope)
  const places = new Set<string>()
  for await (const record of tablesOf(store, 'state', { scope })) {
    const place = String(record[1]['session'])
    if (record[1]['scope'] !== scope || !names.has(ownerOf(place))) continue
    for (const session of [ownerOf(place), place]) {
      if (places.has(session)) continue
      places.add(session)
      yield* timesForgotten(store, { scope, session }, forgotten)
    }
    yield record
  }
}

/** Says that a state was written after others in its place were forgotten: where they were forgotten too, it is imported all the same. */
function* timesForgotten(
  { archive }: ArchivedStore,
  { scope, session }: StatePlace,
  forgotten: ReadonlyMap<string, number>,
): Generator<readonly [RecordShape, ArchiveRow]> {
  const hash = forgottenName({ scope, session, kind: 'state', id: '' })
  const times = forgotten.get(hash)
  const table = archive.tables.find(({ kind }) => kind === 'forgotten')
  if (times !== undefined && table !== undefined) yield [table, { scope, name: forgottenStateName(hash, times) }]
}

async function* recordsOf(store: ArchivedStore, session: SessionHead): Records {
  const { scope, name, description, createdAt, genesis, parent, key } = session
  yield [
    logShapes.session,
    {
      scope,
      name,
      description,
      createdAt,
      genesis,
      parentName: parent?.name ?? null,
      parentSeq: parent?.throughSeq ?? null,
      parentVersion: parent?.throughVersion ?? null,
      parentLink: parent?.link ?? null,
    },
  ]
  yield* tablesOf(store, 'cursor', { scope, session: key })
  for await (const { kind, row } of logEntries(store.log, session)) yield [logShapes[kind], { ...row }]
  yield* tablesOf(store, 'session', { scope, session: key })
}

async function* knowledge(store: ArchivedStore, scope: string | null): Records {
  if (scope !== null) {
    const [root = ''] = scope.split('/')
    const version = await store.archive.rootVersion(root)
    if (version > 0) yield* tablesOf(store, 'knowledge', { scope, known: { root, version } })
    return
  }
  for (let after = ''; ;) {
    const page = await store.archive.roots({ after, limit: SESSIONS_PER_PAGE })
    for (const known of page) yield* tablesOf(store, 'knowledge', { scope: known.root, known })
    const last = page.at(-1)
    if (last === undefined) return
    after = last.root
  }
}

async function* tablesOf(store: ArchivedStore, of: ArchiveTable['of'], place: ArchiveRange): Records {
  for (const table of store.archive.tables) {
    if (table.of !== of) continue
    // Blobs are large: a page of them would be a gigabyte.
    const limit = Object.values(table.columns).includes('bytes') && of === 'scope' ? 1 : ROWS_PER_PAGE
    for (let after: ArchiveRow | undefined; ;) {
      const rows = await store.archive.rows(table.kind, place, { after, limit })
      for (const row of rows) yield [table, row]
      if (rows.length < limit) break
      after = rows.at(-1)
    }
  }
}

function addBlobs(hashes: Set<string>, body: string): void {
  if (!body.includes('"blob"')) return
  for (const hash of blobHashes((readBody(body) as Partial<Body>).parts ?? [])) hashes.add(hash)
}

function missing(scope: string, session: string, found: SessionHead | undefined): MemoryError {
  return found === undefined
    ? new MemoryError(
        'log/not-found',
        `Cannot export session ${JSON.stringify(session)} of ${JSON.stringify(scope)}: it does not exist, expected a session with at least one message`,
        { scope, session },
      )
    : new MemoryError(
        'store/corrupt',
        `Cannot export session ${JSON.stringify(session)}: the session it was forked from is missing, run verify()`,
        { scope, session },
      )
}
