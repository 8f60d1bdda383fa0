import { refold } from '../context/compaction/refold.ts'
import { type Compaction, readAmendment } from '../context/window/compaction.ts'
import { messageReference } from '../knowledge/evidence.ts'
import { piecesPlace } from '../domain/pieces-place.ts'
import { readBody } from '../log/body.ts'
import { saltOfRewritten } from '../log/forgotten.ts'
import { changesOf, openView } from '../log/view.ts'
import type { SessionErasure } from '../ports/erasure-store.ts'
import type { LogStore, MessageRow, SessionHead } from '../ports/log-store.ts'
import type { ForgettingWiring } from './wiring.ts'

/** Messages of one session's own, or all of it with the sessions forked from it. */
export interface LogTarget {
  readonly session: string
  /** Its number: a session of the same name that was begun since is another. */
  readonly key: number
  readonly seqs: 'all' | readonly number[]
}

export interface LogPlan {
  readonly sessions: readonly SessionErasure[]
  /** What facts call the messages; one that ends in a comma stands for all of a session. */
  readonly sources: readonly string[]
  readonly bytes: number
  readonly messages: number
  /** Where the pieces are of those that are being streamed. */
  readonly streamed: readonly string[]
}

const ROWS_PER_PAGE = 500

/** What has to go from the log for some messages to be gone, in every session that shares them. Changes nothing. */
export async function planLog(parts: ForgettingWiring, scope: string, target: LogTarget): Promise<LogPlan> {
  const family = await parts.store.erasure.family(scope, target.session)
  const [owner] = family
  if (owner?.key !== target.key) return { sessions: [], sources: [], bytes: 0, messages: 0, streamed: [] }
  if (target.seqs === 'all') return planSessions(parts, family)
  const wanted = new Set(target.seqs)
  const rows: MessageRow[] = []
  for (const [from, through] of runsOf(target.seqs))
    for await (const row of rowsOf(parts.store.log, owner, from, through)) if (wanted.has(row.seq)) rows.push(row)
  const sessions: SessionErasure[] = []
  // The first message says the description. Forks have copies of that, also those that share no message.
  const isSaid = owner.parent === null && wanted.has(1)
  for (const member of family) {
    const segment = member.lineage.find(({ key }) => key === owner.key)
    const shared = target.seqs.filter((seq) => segment !== undefined && segment.from <= seq && seq <= segment.through)
    const isDescribed = member.description !== null && (isSaid || shared.includes(1))
    if (shared.length > 0 || isDescribed)
      sessions.push(await planSession(parts, member, shared, { isOwner: member.key === owner.key, isDescribed }))
  }
  return {
    sessions,
    // A fork teaches what it shares in words that it has revised.
    sources: sessions.flatMap(({ name }) => rows.map(({ id }) => messageReference(name, id))),
    bytes: rows.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0),
    messages: rows.length,
    streamed: rows.flatMap(({ id, body }) =>
      body !== '' && readBody(body).incomplete === 'streaming' ? [piecesPlace(scope, owner.name, id).session] : [],
    ),
  }
}

async function planSessions(parts: ForgettingWiring, family: readonly SessionHead[]): Promise<LogPlan> {
  let [bytes, messages] = [0, 0]
  for (const member of family) {
    const from = (member.parent?.throughSeq ?? 0) + 1
    // Whoever finishes what somebody else began may find the keys destroyed: how much it is, is told without them.
    for await (const { body } of rowsOf(parts.stored, member, from, member.lastSeq)) {
      bytes += Buffer.byteLength(body)
      if (body !== '') messages += 1
    }
  }
  return {
    sessions: family.map(({ key, scope, name }) => ({
      key,
      scope,
      name,
      what: 'all',
      own: [],
      foldsThrough: 0,
      rewrite: [],
    })),
    sources: family.map(({ name }) => messageReference(name, '').slice(0, -'""]'.length)),
    bytes,
    messages,
    streamed: [],
  }
}

async function planSession(
  parts: ForgettingWiring,
  session: SessionHead,
  seqs: readonly number[],
  { isOwner, isDescribed }: { readonly isOwner: boolean; readonly isDescribed: boolean },
): Promise<SessionErasure> {
  const { key, scope, name } = session
  const { log, store } = parts
  const forgotten = new Set(seqs)
  const view = await openView(store.log, { scope, session: name })
  const rewrite: { version: number; body: string; salt: Uint8Array }[] = []
  let [compacted, forgot] = [0, 0]
  for await (const row of changesOf(store.log, session, view?.version ?? 0)) {
    if (row.kind === 'forget') forgot = row.version
    if (row.kind !== 'compact' || view === undefined) continue
    compacted = row.version
    const compaction = readAmendment<Compaction>(row)
    const again = await refold(log, view, compaction, forgotten)
    if (again === compaction) continue
    const body = JSON.stringify(again)
    rewrite.push({ version: row.version, body, salt: saltOfRewritten(row, body, log.random(16)) })
  }
  const foldsThrough = compacted === 0 ? 0 : Math.max(compacted, forgot)
  const description = isDescribed ? { description: null } : {}
  return { key, scope, name, what: seqs, own: isOwner ? seqs : [], foldsThrough, rewrite, ...description }
}

async function* rowsOf(
  log: LogStore,
  { scope, key }: SessionHead,
  from: number,
  through: number,
): AsyncGenerator<MessageRow> {
  for (let next = from; next <= through;) {
    const query = { scope, key, from: next, through, limit: ROWS_PER_PAGE, newestFirst: false, systemOnly: false }
    const page = await log.messages(query)
    yield* page
    const last = page.at(-1)
    if (last === undefined) return
    next = last.seq + 1
  }
}

function runsOf(seqs: readonly number[]): readonly (readonly [number, number])[] {
  const runs: [number, number][] = []
  for (const seq of seqs.toSorted((a, b) => a - b)) {
    const last = runs.at(-1)
    if (last !== undefined && seq <= last[1] + 1) last[1] = seq
    else runs.push([seq, seq])
  }
  return runs
}
