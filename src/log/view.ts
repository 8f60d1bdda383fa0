import { MemoryError } from '../domain/error.ts'
import { inheritedAmendments } from '../domain/inherited-amendments.ts'
import { type Moment, parseTime } from '../domain/moment.ts'
import type { AmendmentRow, Bound, LogStore, MessageRow, Reached, Segment, SessionHead } from '../ports/log-store.ts'
import { isSound } from './forgotten.ts'
import type { Address } from './log.ts'

/**
 * A session at one version. Rows never change, so everything read through a view is of one moment, however many calls
 * it takes and whatever is appended meanwhile.
 */
export interface View {
  readonly session: SessionHead
  readonly version: number
  readonly lastSeq: number
  /** Oldest first, ending at `lastSeq`. */
  readonly segments: readonly Segment[]
}

const ROWS_PER_PAGE = 256

/** The session now or as of an earlier moment; `undefined` if it does not exist. */
export async function openView(store: LogStore, address: Address, asOf?: Moment): Promise<View | undefined> {
  const session = await store.session(address.scope, address.session)
  return session === undefined ? undefined : viewOf(store, session, asOf)
}

/** The same of a session that was read before. */
export async function viewOf(store: LogStore, session: SessionHead, asOf?: Moment): Promise<View> {
  if (session.orphaned) {
    const { scope, name } = session
    throw new MemoryError(
      'store/corrupt',
      `Cannot read session ${JSON.stringify(name)}: the session it was forked from is missing, run verify()`,
      { scope, session: name },
    )
  }
  const version = asOf === undefined ? session.version : await versionAt(store, session, asOf)
  if (version === session.version) return { session, version, lastSeq: session.lastSeq, segments: session.lineage }
  const reached = await reachedIn(store, session, { version })
  const lastSeq = Math.max(0, ...reached.map(({ seq }) => seq))
  return {
    session,
    version,
    lastSeq,
    segments: session.lineage.map((segment) => ({
      ...segment,
      through: Math.min(segment.through, lastSeq),
      throughVersion: Math.min(segment.throughVersion, version),
    })),
  }
}

async function versionAt(store: LogStore, session: SessionHead, asOf: Moment): Promise<number> {
  if (typeof asOf === 'object' && 'version' in asOf) return Math.min(asOf.version, session.version)
  const time = parseTime('read', 'asOf', asOf)
  // Nothing has been recorded since, here or in what it was forked from.
  if (session.updatedAt <= time) return session.version
  const reached = await reachedIn(store, session, { recordedAt: time })
  return Math.max(0, ...reached.map(({ version }) => version))
}

/** A row that is missing hides what stands after it: a reader gets an error, not less. */
async function reachedIn(store: LogStore, session: SessionHead, bound: Bound): Promise<readonly Reached[]> {
  const reached = await store.reached(session.lineage, bound)
  for (const { hole } of reached) if (hole !== null) throw missingRow(hole)
  return reached
}

/** Every amendment of a session's own after a version, oldest first. */
export async function* changesOf(
  store: LogStore,
  { scope, key }: Pick<Segment, 'scope' | 'key'>,
  throughVersion: number,
  after = 0,
): AsyncGenerator<AmendmentRow> {
  for (let afterVersion = after; ;) {
    const page = await store.amendments({
      of: 'session',
      scope,
      key,
      afterVersion,
      throughVersion,
      limit: ROWS_PER_PAGE,
    })
    yield* page
    const last = page.at(-1)
    if (last === undefined) return
    afterVersion = last.version
  }
}

/** Versions and recording times rise with the sequence, so a handful of point reads finds the last row that passes. Rows that are missing pass for later ones. */
export async function lastWhere(
  store: LogStore,
  session: SessionHead,
  passes: (row: MessageRow) => boolean,
): Promise<MessageRow | undefined> {
  let found: MessageRow | undefined
  let low = 1
  let high = session.lastSeq
  while (low <= high) {
    const middle = Math.floor((low + high) / 2)
    const row = await rowAt(store, session.lineage, middle)
    if (row !== undefined && passes(row)) {
      found = row
      low = middle + 1
    } else {
      high = middle - 1
    }
  }
  return found
}

/** Sequence numbers have no gaps, so a missing row is damage and never an end. */
export function missingRow(seq: number): MemoryError {
  return new MemoryError(
    'store/corrupt',
    `Cannot read message ${seq}: its row is missing, run verify() and restore from a backup`,
    { seq },
  )
}

async function rowAt(store: LogStore, segments: readonly Segment[], seq: number): Promise<MessageRow | undefined> {
  const segment = segments.find(({ from, through }) => from <= seq && seq <= through)
  if (segment === undefined) return undefined
  const [row] = await store.messages({
    scope: segment.scope,
    key: segment.key,
    from: seq,
    through: seq,
    limit: 1,
    newestFirst: false,
    systemOnly: false,
  })
  return row
}

/** Amendments that concern messages in a range, of the session and of the ancestors it shares them with; oldest first. */
export async function amendmentsOf(
  store: LogStore,
  segments: readonly Segment[],
  from: number,
  through: number,
): Promise<readonly AmendmentRow[]> {
  const all = await Promise.all(
    segments.map((segment) => {
      const { scope, key, throughVersion } = segment
      // What ends before the range has changed nothing in it.
      return segment.through < from
        ? []
        : store.amendments({ of: 'messages', scope, key, from, through, throughVersion })
    }),
  )
  return all.flatMap((found, index) => {
    for (const row of found) if (!isSound(row)) throw damagedAmendment(row)
    return index === segments.length - 1 ? found : inheritedAmendments(found, segments[index]?.through ?? 0)
  })
}

export async function allAmendments(store: LogStore, segments: readonly Segment[]): Promise<readonly AmendmentRow[]> {
  return amendmentsOf(store, segments, 0, Number.MAX_SAFE_INTEGER)
}

function damagedAmendment({ seq, version }: AmendmentRow): MemoryError {
  return new MemoryError(
    'store/corrupt',
    `Cannot read message ${seq}: the change at version ${version} has changed since it was written, run verify() and restore from a backup`,
    { seq, version },
  )
}
