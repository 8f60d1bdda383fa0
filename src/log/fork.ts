import type { ForkOptions } from '../api/sessions.ts'
import { MemoryError } from '../domain/error.ts'
import type { Moment } from '../domain/moment.ts'
import { refuse } from '../domain/refuse.ts'
import type { SessionHead, StoredSession } from '../ports/log-store.ts'
import { genesisOf } from './chain.ts'
import type { Address, Log } from './log.ts'
import { linkAt } from './link-at.ts'
import { openView } from './view.ts'
import { stamp } from './stamp.ts'

/**
 * Starts a session that shares this one's history up to a point and goes on by itself. Nothing is copied.
 *
 * @throws {MemoryError} `log/not-found` if this session does not exist; `log/exists` if the new one does.
 */
export async function fork(log: Log, address: Address, newName: string, { at }: ForkOptions): Promise<void> {
  const point = at === undefined || typeof at === 'number' ? undefined : await pointOf(log, address, at)
  await log.store.change<undefined>({
    scope: address.scope,
    session: newName,
    questions: { ids: [], callIds: [], blobs: [], parent: address.session },
    decide: ({ session, parent }) => {
      if (parent === undefined) throw missing(address)
      if (session !== undefined) {
        throw new MemoryError(
          'log/exists',
          `Cannot fork into ${JSON.stringify(newName)}: the scope has a session of that id, expected a new one`,
          { session: newName, scope: address.scope },
        )
      }
      const through = point ?? { seq: throughSeq(at, parent), version: parent.version, link: parent.head }
      return {
        answer: undefined,
        write: { session: child(log, newName, parent, through), messages: [], amendments: [], links: [], blobs: [] },
      }
    },
  })
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
  const link = await linkAt(log.store, view.session, view.version)
  if (link === undefined)
    throw new MemoryError('store/corrupt', `Cannot fork at version ${view.version}: its row is missing, run verify()`, {
      ...address,
      version: view.version,
    })
  return { seq: view.lastSeq, version: view.version, link }
}

function missing(address: Address): MemoryError {
  return new MemoryError(
    'log/not-found',
    `Cannot fork session ${JSON.stringify(address.session)}: it does not exist, expected a session with at least one message`,
    { ...address },
  )
}
