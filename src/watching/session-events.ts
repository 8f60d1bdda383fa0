import type { ScopeEvent } from '../api/watching.ts'
import { MemoryError } from '../domain/error.ts'
import { scan } from '../log/scan.ts'
import { changesOf, viewOf } from '../log/view.ts'
import type { Clock } from '../ports/clock.ts'
import type { AmendmentRow, LogStore, Segment, SessionHead } from '../ports/log-store.ts'
import { type Progress, type SessionProgress, sessionMark } from './progress.ts'

/** Clocks of several machines differ by less than this, and a commit takes less. */
const OVERLAP_MS = 60_000
const SESSIONS_PER_PAGE = 100

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

/** Where a watch of the sessions begins that reports only what happens from now on. Its first read decides what "now" is. */
export async function sessionsNow(log: WatchedLog, scope: string): Promise<Pick<Progress, 'floor' | 'sessions'>> {
  let floor: number | undefined
  const heads = await changedSince(log.store, scope, (newest) => (floor ??= floorOf(log, newest ?? log.clock.now())))
  return {
    floor: floor ?? floorOf(log, log.clock.now()),
    sessions: new Map(heads.map((head) => [sessionMark(head), reachedBy(head)])),
  }
}

/** What happened in the sessions of a scope since, oldest change first. Marks in `progress` what it has yielded. */
export async function* sessionEvents(
  log: WatchedLog,
  scope: string,
  progress: Progress,
): AsyncGenerator<Happening, undefined> {
  const { floor, sessions } = progress
  const heads = await changedSince(log.store, scope, () => floor)
  for (const head of heads.toReversed()) {
    if (head.orphaned || sessions.get(sessionMark(head))?.version === head.version) continue
    try {
      yield* eventsOf(log.store, head, progress)
    } catch (error) {
      // Its rows are gone: it was forgotten after it was listed.
      const now = MemoryError.is(error, 'store/corrupt') ? await log.store.session(scope, head.name) : head
      if (now?.key === head.key) throw error
    }
    sessions.set(sessionMark(head), reachedBy(head))
  }
  progress.floor = Math.max(floor, floorOf(log, heads[0]?.updatedAt ?? floor))
  for (const [mark, { at }] of sessions) if (at < progress.floor) sessions.delete(mark)
  return undefined
}

/** A time that is ahead of the clock came from a clock that was wrong. */
function floorOf({ clock }: WatchedLog, newest: number): number {
  return Math.min(newest, clock.now()) - OVERLAP_MS
}

function reachedBy({ lastSeq, version, updatedAt }: SessionHead): SessionProgress {
  return { seq: lastSeq, version, at: updatedAt }
}

/** Sessions that changed at a time or later, last change first. `timeFor` gets the time of the last change. */
async function changedSince(
  store: LogStore,
  scope: string,
  timeFor: (newest: number | undefined) => number,
): Promise<readonly SessionHead[]> {
  const found: SessionHead[] = []
  for (let last: SessionHead | undefined; ;) {
    const page = await store.sessions(
      { scope },
      {
        limit: SESSIONS_PER_PAGE,
        ...(last === undefined ? { when: 'at once' } : { before: last.key }),
        changedBefore: last?.updatedAt ?? Number.MAX_SAFE_INTEGER,
      },
    )
    const time = timeFor((found[0] ?? page[0])?.updatedAt)
    found.push(...page.filter(({ updatedAt }) => updatedAt >= time))
    last = page.at(-1)
    if (page.length < SESSIONS_PER_PAGE || last === undefined || last.updatedAt < time) return found
  }
}

async function* eventsOf(store: LogStore, head: SessionHead, progress: Progress): AsyncGenerator<Happening, undefined> {
  const { name: session, lastSeq, version, updatedAt } = head
  const mark = sessionMark(head)
  const own: Segment | undefined = head.lineage.at(-1)
  if (own === undefined) return undefined
  const known = progress.sessions.get(mark)
  let reached = known ?? (await reachedBefore(store, head, own, progress.floor))
  const advance = (step: Partial<SessionProgress>): void => {
    reached = { ...reached, ...step, at: updatedAt }
    progress.sessions.set(mark, reached)
  }
  if (known === undefined && head.createdAt >= progress.floor) {
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
