import type { ForkOptions } from '../api/sessions.ts'
import { MemoryError } from '../domain/error.ts'
import type { Message } from '../domain/message.ts'
import type { Moment } from '../domain/moment.ts'
import { readPiecesPlace } from '../domain/pieces-place.ts'
import { refuse } from '../domain/refuse.ts'
import type { AmendmentRow, Decision, SessionHead, StoredSession } from '../ports/log-store.ts'
import { amend } from './amend.ts'
import { genesisOf } from './chain.ts'
import { get } from './get.ts'
import type { Address, Log } from './log.ts'
import { linkAt } from './link-at.ts'
import { type PreparedMessage, prepare } from './prepare.ts'
import { revised } from './revised.ts'
import { stamp } from './stamp.ts'
import { type View, openView } from './view.ts'
import { isStreamed } from './with-pieces.ts'

/**
 * Starts a session that shares this one's history up to a point and goes on by itself. Nothing is copied, except for what was
 * streamed so far of messages that are not complete: the rest of them is only for the session that they are streamed to.
 *
 * @throws {MemoryError} `log/not-found` if this session does not exist; `log/exists` if the new one does.
 */
export async function fork(log: Log, address: Address, newName: string, { at }: ForkOptions): Promise<void> {
  const streamed = await findStreamed(log, address, at)
  const point = streamed?.point ?? (isMoment(at) ? await pointOf(log, address, at) : undefined)
  await log.store.change<undefined>({
    scope: address.scope,
    session: newName,
    questions: { ids: [], callIds: [], blobs: [], parent: address.session },
    decide: ({ session, parent }) => {
      if (parent === undefined) throw missing(address)
      if (session !== undefined) {
        throw new MemoryError(
          'log/exists',
          `Cannot fork into ${JSON.stringify(newName)}: the scope already has a session with this id. Choose another one`,
          { session: newName, scope: address.scope },
        )
      }
      const through = point ?? { seq: throughSeq(at, parent), version: parent.version, link: parent.head }
      const started = child(log, newName, parent, through)
      return { answer: undefined, write: cutOff(log, started, streamed?.messages ?? []) }
    },
  })
}

function isMoment(at: ForkOptions['at']): at is Moment {
  return at !== undefined && typeof at !== 'number'
}

interface Streamed {
  readonly point: Point
  readonly messages: readonly { readonly seq: number; readonly prepared: PreparedMessage }[]
}

/** The messages that are being streamed, with what there is of them, and the point at which this is so. */
async function findStreamed(log: Log, address: Address, at: ForkOptions['at']): Promise<Streamed | undefined> {
  const places = await log.store.streams(address)
  if (places.length === 0) return undefined
  const asOf = isMoment(at) ? at : undefined
  for (;;) {
    const view = await openView(log.store, address, asOf)
    if (view === undefined) return undefined
    const { version } = view
    const seq = isMoment(at) ? view.lastSeq : throughSeq(at, view.session)
    const found: Message[] = []
    for (const { session: place } of places) {
      const message = await get(log.store, address, readPiecesPlace(place).message, { version })
      if (message !== undefined && isStreamed(message) && message.seq <= seq) found.push(message)
    }
    // One that was completed meanwhile has no pieces any more: its whole text is in a later version.
    const now = await Promise.all(found.map(({ id }) => get(log.store, address, id)))
    if (asOf === undefined && !now.every((message) => message !== undefined && isStreamed(message))) continue
    const prepared = await Promise.all(
      found.map(async (message) =>
        prepare(log, 'fork', [revised(message, { incomplete: 'stopped' })], message.imported),
      ),
    )
    const link = await linkOf(log, address, view)
    const messages = found.flatMap((message, nth) =>
      (prepared[nth] ?? []).map((one) => ({ seq: message.seq, prepared: one })),
    )
    return { point: { seq, version, link }, messages }
  }
}

/** What a fork starts with: revisions of its own that say how far messages had come, since it has no part in the rest of them. */
function cutOff(
  log: Log,
  started: StoredSession,
  streamed: Streamed['messages'],
): Required<Decision<undefined>>['write'] {
  const amendments: AmendmentRow[] = []
  let session = started
  for (const { seq, prepared } of streamed) {
    const change = { kind: 'revise', seq, body: prepared.body, tokens: prepared.tokens } as const
    const { write } = amend(log, session, change, () => undefined)
    session = write.session
    amendments.push(...write.amendments)
  }
  return { session, messages: [], amendments, links: [], blobs: [] }
}

interface Point {
  readonly seq: number
  readonly version: number
  readonly link: Uint8Array
}

function throughSeq(at: number | Moment | undefined, parent: SessionHead): number {
  if (at === undefined) return parent.lastSeq
  if (typeof at !== 'number' || !Number.isSafeInteger(at) || at < 0 || at > parent.lastSeq)
    refuse('fork', 'at', at, `a sequence number from 0 to ${parent.lastSeq}`)
  return at
}

function child(log: Log, name: string, parent: SessionHead, through: Point): StoredSession {
  const createdAt = stamp(log.clock.now(), parent)
  const identity = {
    scope: parent.scope,
    name,
    description: parent.description,
    createdAt,
    parent: {
      key: parent.key,
      name: parent.name,
      throughSeq: through.seq,
      throughVersion: through.version,
      link: through.link,
    },
  }
  const genesis = genesisOf(identity)
  return { ...identity, updatedAt: createdAt, lastSeq: through.seq, version: through.version, genesis, head: genesis }
}

async function pointOf(log: Log, address: Address, at: Moment): Promise<Point> {
  const view = await openView(log.store, address, at)
  if (view === undefined) throw missing(address)
  return { seq: view.lastSeq, version: view.version, link: await linkOf(log, address, view) }
}

async function linkOf(log: Log, address: Address, { session, version }: View): Promise<Uint8Array> {
  const link = await linkAt(log.store, session, version)
  if (link === undefined)
    throw new MemoryError('store/corrupt', `Cannot fork at version ${version}: its row is missing, run verify()`, {
      ...address,
      version,
    })
  return link
}

function missing(address: Address): MemoryError {
  return new MemoryError(
    'log/not-found',
    `Cannot fork session ${JSON.stringify(address.session)}: it does not exist, expected a session with at least one message`,
    { ...address },
  )
}
