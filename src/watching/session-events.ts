import { defined } from '../domain/defined.ts'
import type { ScopeEvent } from '../api/watching.ts'
import { MemoryError } from '../domain/error.ts'
import { scan } from '../log/scan.ts'
import { changesOf, viewOf } from '../log/view.ts'
import type { Clock } from '../ports/clock.ts'
import {
  type AmendmentRow,
  LISTED_KEYS_MAX,
  type LogStore,
  type Segment,
  type SessionHead,
  type SessionNumbers,
} from '../ports/log-store.ts'
import { type Progress, type SessionProgress, sessionMark } from './progress.ts'

/** Clocks of several machines differ by less than this, and a commit takes less. */
const OVERLAP_MS = 60_000
const SESSIONS_PER_PAGE = 100
/** How far back a cursor is looked for among the sessions by creation. */
const PAGES_MAX = 20
/** How far back sessions are looked for to which an import may still add. */
const IMPORTING_PAGES_MAX = 5
/** So many of the newest sessions are in a cursor, in case some are forgotten before it is used. */
const NEWEST = 4

type SessionsProgress = Pick<Progress, 'floor' | 'sessions' | 'newest' | 'newestKey' | 'importing' | 'forgotten'>

/** An event before it gets its cursor. */
export type Happening = ScopeEvent extends infer Event
  ? Event extends ScopeEvent
    ? Omit<Event, 'cursor'>
    : never
  : never

export interface WatchedLog {
  readonly store: LogStore
  readonly clock: Clock
}

/** Where a watch of the sessions begins that reports only what happens from now on. */
export async function sessionsNow(log: WatchedLog, scope: string): Promise<SessionsProgress> {
  const floorFor = (lastChange: number | undefined): number => floorOf(log, lastChange ?? log.clock.now())
  const now = await log.store.sessionsNow(scope, { floorFor, newest: LISTED_KEYS_MAX })
  const { floor, sessions, newest, forgotten } = now
  const importing = newest.filter(({ updatedAt }) => updatedAt < floor)
  return {
    floor,
    sessions: new Map([...importing, ...sessions].map((session) => [sessionMark(session), reachedBy(session)])),
    newest: newest.slice(0, NEWEST).map(sessionMark),
    newestKey: newest[0]?.key ?? 0,
    importing: keysOf(importing),
    forgotten,
  }
}

/** What happened in the sessions of a scope since, oldest change first. Marks in `progress` what it has yielded. */
export async function* sessionEvents(
  log: WatchedLog,
  scope: string,
  progress: Progress,
): AsyncGenerator<Happening, undefined> {
  const { floor, sessions } = progress
  const { newestKey, importing } = await lookUpKeys(log.store, scope, progress)
  const keys = [...importing.values()]
  const changed = await log.store.changedSince(scope, { time: floor, key: newestKey, keys })
  const marks = changed.sessions.toSorted((a, b) => a.updatedAt - b.updatedAt || a.key - b.key)
  for (const mark of marks) {
    if (sessions.get(sessionMark(mark))?.version === mark.version) continue
    const head = await log.store.session(scope, mark.name)
    // Forgotten since it was listed.
    if (head?.key !== mark.key || head.orphaned) continue
    try {
      yield* eventsOf(log.store, head, progress)
    } catch (error) {
      // Its rows are gone: it was forgotten after it was listed.
      const now = MemoryError.is(error, 'store/corrupt') ? await log.store.session(scope, head.name) : head
      if (now?.key === head.key) throw error
    }
    sessions.set(sessionMark(head), reachedBy(head))
  }
  const gone = changed.forgotten - progress.forgotten
  progress.forgotten = changed.forgotten
  if (gone > 0) yield { type: 'forgotten', sessions: gone }
  progress.floor = Math.max(floor, floorOf(log, marks.at(-1)?.updatedAt ?? floor))
  noteImporting(progress, changed.sessions)
  noteNewest(progress, changed.sessions)
  for (const [mark, { at }] of sessions)
    if (at < progress.floor && progress.importing?.has(mark) !== true) sessions.delete(mark)
  return undefined
}

/** Of the sessions that were created with old times, those to look at again. */
function noteImporting(progress: Progress, changed: readonly SessionNumbers[]): void {
  const { newestKey = 0, importing, sessions, floor } = progress
  const old = changed.filter((session) => {
    const mark = sessionMark(session)
    const isCandidate = session.key > newestKey || importing?.has(mark) === true
    return isCandidate && session.updatedAt < floor && sessions.has(mark)
  })
  progress.importing = keysOf(old.toSorted((a, b) => b.key - a.key).slice(0, LISTED_KEYS_MAX))
}

function keysOf(sessions: readonly SessionNumbers[]): ReadonlyMap<string, number> {
  return new Map(sessions.map((session) => [sessionMark(session), session.key]))
}

/** All sessions that were created so far are reported. */
function noteNewest(progress: Progress, changed: readonly SessionNumbers[]): void {
  const { newestKey = 0 } = progress
  const created = changed.filter(({ key }) => key > newestKey).toSorted((a, b) => b.key - a.key)
  if (created.length === 0) return
  progress.newest = [...created.map(sessionMark), ...progress.newest].slice(0, NEWEST)
  progress.newestKey = created[0]?.key
}

interface Keys {
  readonly newestKey: number
  readonly importing: ReadonlyMap<string, number>
}

/**
 * The keys of the sessions that a cursor names. If all that were created last are forgotten, only the times of sessions say what is
 * new.
 */
async function lookUpKeys(store: LogStore, scope: string, progress: Progress): Promise<Keys> {
  const { newest, sessions, floor } = progress
  if (progress.newestKey !== undefined && progress.importing !== undefined)
    return { newestKey: progress.newestKey, importing: progress.importing }
  const old = new Set([...sessions].flatMap(([mark, { at }]) => (at < floor ? [mark] : [])))
  const importing = new Map<string, number>()
  let newestKey = newest.length === 0 ? 0 : undefined
  let before: number | undefined
  for (let page = 0; page < PAGES_MAX; page++) {
    const isLooking = page < IMPORTING_PAGES_MAX && importing.size < Math.min(old.size, LISTED_KEYS_MAX)
    if (newestKey !== undefined && !isLooking) break
    const query = { limit: SESSIONS_PER_PAGE, ...defined({ before }) }
    const heads = await store.sessions({ scope }, query)
    newestKey ??= heads.find((head) => newest.includes(sessionMark(head)))?.key
    for (const head of heads) {
      const mark = sessionMark(head)
      if (old.has(mark) && importing.size < LISTED_KEYS_MAX) importing.set(mark, head.key)
    }
    before = heads.at(-1)?.key
    if (before === undefined) break
  }
  const found = { newestKey: newestKey ?? Number.MAX_SAFE_INTEGER, importing }
  Object.assign(progress, found)
  return found
}

/** A time that is ahead of the clock came from a clock that was wrong. */
function floorOf({ clock }: WatchedLog, newest: number): number {
  return Math.min(newest, clock.now()) - OVERLAP_MS
}

function reachedBy({ lastSeq, version, updatedAt }: SessionNumbers): SessionProgress {
  return { seq: lastSeq, version, at: updatedAt }
}

async function* eventsOf(store: LogStore, head: SessionHead, progress: Progress): AsyncGenerator<Happening, undefined> {
  const { name: session, lastSeq, version, updatedAt } = head
  const mark = sessionMark(head)
  const own: Segment | undefined = head.lineage.at(-1)
  if (own === undefined) return undefined
  const known = progress.sessions.get(mark)
  const isCreated = head.key > (progress.newestKey ?? 0)
  let reached = known ?? (await reachedBefore(store, head, own, isCreated ? 0 : progress.floor))
  const advance = (step: Partial<SessionProgress>): void => {
    reached = { ...reached, ...step, at: updatedAt }
    progress.sessions.set(mark, reached)
  }
  if (known === undefined && (isCreated || head.createdAt >= progress.floor)) {
    advance({})
    yield { type: 'session', session, at: new Date(head.createdAt).toISOString() }
  }
  if (lastSeq > reached.seq) {
    const range = { from: reached.seq + 1, through: lastSeq, newestFirst: false, withRemoved: true }
    for await (const message of scan(store, await viewOf(store, head), range)) {
      advance({ seq: message.seq })
      yield { type: 'message', session, message }
    }
    advance({ seq: lastSeq })
  }
  for await (const row of changesOf(store, own, version, reached.version)) {
    advance({ version: row.version })
    yield happeningOf(session, row)
  }
  return undefined
}

/** How far a session had come when it was last reported: it had not changed since the floor. What a fork inherits is not new. */
async function reachedBefore(
  store: LogStore,
  { parent, updatedAt }: SessionHead,
  own: Segment,
  floor: number,
): Promise<SessionProgress> {
  const [reached] = await store.reached([own], { recordedAt: floor - 1 })
  return {
    seq: Math.max(reached?.seq ?? 0, own.from - 1),
    version: Math.max(reached?.version ?? 0, parent?.throughVersion ?? 0),
    at: updatedAt,
  }
}

function happeningOf(session: string, { kind, seq, version, recordedAt }: AmendmentRow): Happening {
  const at = new Date(recordedAt).toISOString()
  if (kind === 'compact') return { type: 'compaction', session, compaction: version, through: seq, at }
  const change = kind === 'clear-keeping-system' ? 'clear' : kind
  return { type: 'change', session, change, seq, version, at }
}
