import { setTimeout as sleep } from 'node:timers/promises'
import type { JobEvent } from '../api/events.ts'
import { errorText } from '../domain/error-text.ts'
import { MemoryError } from '../domain/error.ts'
import { pairKey } from '../domain/pair-key.ts'
import type { JobRow, JobStore, JobTally } from '../ports/job-store.ts'
import { type Attempt, endAttempt, extendLease } from './end-attempt.ts'
import { enqueueFound } from './enqueue-found.ts'
import { jobFromRow } from './job-from-row.ts'
import type { FoundWork, Hint, JobKind } from './job-kind.ts'

/** Appends come in bursts. Work begins when there was none for so long, so that it does not take the time of those who write. */
const QUIET_MS = 200
/** But not later than this, however long they write. */
const BURST_MS_MAX = 5_000
const NUDGE_MS = 100
/** Longer than any step of a job that does not extend its lease; how soon the work of a killed process is taken up. */
const LEASE_MS = 30_000
/** Work of other processes that ended without doing it is looked for so often. */
const PATROL_MS = 60_000
/** While others run what `settled` waits for. */
const POLL_MS = 25
/** How long closing waits for what runs, and then for what was told to stop. */
const DRAIN_MS = 500
const STOP_MS = 1_000
const CONCURRENCY = 2
/** Of each kind, so that a person can see what was done lately. */
const FINISHED_KEPT = 1_000
const FINISHED_BETWEEN_PRUNES = 50
/** They share a transaction. */
const FOUND_AT_ONCE = 64
/** Hints beyond that are forgotten, and everything is looked at instead. */
const HINTS_MAX = 1_000

export interface RunnerSettings {
  readonly store: JobStore
  readonly kinds: readonly JobKind[]
  /** From 0 up to, but not including, 1. */
  readonly chance: () => number
  readonly newId: () => string
  /** Names this runner in leases: no two may have the same. */
  readonly owner: string
  readonly emit: (event: JobEvent) => void
  /** @default 30,000 */
  readonly leaseMs?: number
  /** @default 500 */
  readonly drainMs?: number
}

interface Running {
  readonly job: JobRow
  readonly controller: AbortController
  readonly ended: Promise<void>
}

/** A look at everything, of which a part is still to come. */
interface Walk {
  readonly work: AsyncIterator<FoundWork>
  /** What was found and had no room. */
  batch: readonly FoundWork[]
  /** Somebody asked for a look at everything while this one was half over. */
  again: boolean
}

/**
 * Finds work, claims it and runs it, a little at a time. Nothing that happens in here reaches the caller: a job that
 * fails is written down as failed. Its timers keep no process alive.
 */
export class Runner {
  readonly #settings: RunnerSettings
  readonly #running = new Map<string, Running>()
  #hints = new Map<string, Hint>()
  /** Looks at everything that stopped where there was no room for more, by kind. */
  readonly #walks = new Map<string, Walk>()
  readonly #closing = new AbortController()
  #all = true
  #timer: NodeJS.Timeout | undefined
  #timerAt = Infinity
  #quiet: NodeJS.Timeout | undefined
  #burstSince: number | undefined
  #round: Promise<void> | undefined
  #finished = 0
  #closed = false
  #isHinted = false

  constructor(settings: RunnerSettings) {
    this.#settings = settings
  }

  /** Whether this process has changed anything: a look at everything takes the place of single hints. */
  get isHinted(): boolean {
    return this.#isHinted
  }

  /** Something may be due. Cheap: looks once for many calls, later. */
  nudge(hint?: Hint): void {
    if (this.#closed || this.#settings.kinds.length === 0) return
    this.#isHinted ||= hint !== undefined
    if (hint === undefined || this.#hints.size >= HINTS_MAX) this.#all = true
    else this.#hints.set(pairKey(hint.scope, hint.subject), hint)
    const now = performance.now()
    this.#burstSince ??= now
    if (this.#quiet === undefined) this.#quiet = setTimeout(() => this.#afterBurst(), QUIET_MS).unref()
    else if (now - this.#burstSince < BURST_MS_MAX) this.#quiet.refresh()
  }

  #afterBurst(): void {
    this.#quiet = undefined
    this.#burstSince = undefined
    this.#wakeIn(0)
  }

  /**
   * Resolves when nothing is due and nothing runs, in this process or another. What failed, or waits for its next attempt,
   * is only counted.
   */
  async settled(): Promise<JobTally> {
    for (let lookedAtAll = false; ;) {
      const tally = await this.#tally()
      const idle = tally.due === 0 && tally.running === 0 && this.#isIdle
      if (this.#closed || (idle && lookedAtAll)) return tally
      // Everything is looked at only when all that is known is done: with many sessions a look takes a while.
      lookedAtAll = idle
      if (idle) this.#all = true
      await this.#look()
      await Promise.allSettled([...this.#running.values()].map(({ ended }) => ended))
      if (tally.running > 0 && this.#isIdle) await sleep(POLL_MS)
    }
  }

  /** Tells a job of this process to stop. */
  stop(id: string): void {
    this.#running
      .get(id)
      ?.controller.abort(new MemoryError('jobs/conflict', `Cannot continue job ${id}: it was cancelled`))
  }

  /** Lets what runs end, or gives it back. */
  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    clearTimeout(this.#timer)
    clearTimeout(this.#quiet)
    const reason = new MemoryError('store/closed', 'Cannot continue: the memory is being closed, open another')
    this.#closing.abort(reason)
    while (this.#round !== undefined) await this.#round
    await this.#drain(this.#settings.drainMs ?? DRAIN_MS)
    for (const { controller } of this.#running.values()) controller.abort(reason)
    await this.#drain(STOP_MS)
    for (const { job } of this.#running.values()) await this.#end(job, { type: 'given-back' })
  }

  async #drain(ms: number): Promise<void> {
    if (this.#running.size === 0) return
    const controller = new AbortController()
    const late = sleep(ms, undefined, { signal: controller.signal }).catch(() => undefined)
    await Promise.race([late, Promise.allSettled([...this.#running.values()].map(({ ended }) => ended))])
    controller.abort()
  }

  get #isIdle(): boolean {
    return this.#running.size === 0 && this.#walks.size === 0 && this.#hints.size === 0
  }

  #wakeIn(ms: number): void {
    if (this.#closed) return
    const at = performance.now() + ms
    if (this.#timer !== undefined && this.#timerAt <= at) return
    clearTimeout(this.#timer)
    this.#timerAt = at
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      // An error is the store's, and the next look may fare better.
      this.#look().catch(() => {
        this.#all = true
        this.#wakeIn(PATROL_MS)
      })
    }, ms).unref()
  }

  /** One look at a time. */
  async #look(): Promise<void> {
    while (this.#round !== undefined) await this.#round
    if (this.#closed) return
    const round = this.#lookAround()
    this.#round = round.then(
      () => undefined,
      () => undefined,
    )
    await round.finally(() => {
      this.#round = undefined
    })
  }

  async #lookAround(): Promise<void> {
    const among = this.#all ? 'all' : [...this.#hints.values()]
    this.#hints = new Map()
    this.#all = false
    for (const kind of this.#settings.kinds) {
      await this.#find(kind, among)
      await this.#claim(kind)
    }
    const { nextInMs = PATROL_MS, due } = await this.#tally()
    const wait = Math.max(NUDGE_MS, nextInMs)
    // With all hands busy, the end of a job is what wakes us.
    if (due === 0 || this.#running.size === 0) this.#wakeIn(Math.min(wait, PATROL_MS))
  }

  /** Gives what is found a job each, as far as there is room. A look that there is no room for goes on when half is done. */
  async #find(kind: JobKind, among: readonly Hint[] | 'all'): Promise<void> {
    const paused = this.#walks.get(kind.name)
    if (paused !== undefined && among === 'all') paused.again = true
    if (paused !== undefined && (await this.#isHalfDone(kind))) await this.#walk(kind, paused)
    if (among.length === 0 || (paused !== undefined && among === 'all')) return
    const work = kind.find(among, this.#closing.signal)[Symbol.asyncIterator]()
    await this.#walk(kind, { work, batch: [], again: false })
  }

  /** Until all is found, there is no room for more, or the memory is closed. */
  async #walk(kind: JobKind, walk: Walk): Promise<void> {
    try {
      for (let done = false; !done && !this.#closed;) {
        const batch = [...walk.batch]
        while (batch.length < FOUND_AT_ONCE && !done && !this.#closed) {
          const next = await walk.work.next()
          if (next.done === true) done = true
          else batch.push(next.value)
        }
        walk.batch = await this.#enqueue(kind, batch)
        if (walk.batch.length > 0) return this.#pause(kind, walk)
      }
    } catch (error) {
      walk.again = true
      throw error
    } finally {
      if (walk.batch.length === 0) this.#endWalk(kind, walk)
    }
  }

  #endWalk({ name }: JobKind, walk: Walk): void {
    if (this.#walks.get(name) === walk) this.#walks.delete(name)
    if (!walk.again) return
    this.#all = true
    this.#wakeIn(NUDGE_MS)
  }

  /** What was only hinted at and has no room is found again by a look at everything. */
  #pause({ name, queueMax }: JobKind, walk: Walk): void {
    const other = this.#walks.get(name)
    if (other !== undefined && other !== walk) other.again = true
    else this.#walks.set(name, walk)
    this.#settings.emit({ type: 'jobs-full', kind: name, max: queueMax })
  }

  async #isHalfDone({ name, queueMax }: JobKind): Promise<boolean> {
    const { due } = await this.#settings.store.tally([name])
    return due <= queueMax / 2
  }

  /** Answers with what there was no room for. */
  async #enqueue({ name, queueMax }: JobKind, found: readonly FoundWork[]): Promise<readonly FoundWork[]> {
    const { store, newId } = this.#settings
    const answers = await Promise.all(
      found.map((work) => enqueueFound(store, { ...work, id: newId(), kind: name, payload: null }, queueMax)),
    )
    return found.filter((_, index) => answers[index] === 'full')
  }

  async #claim(kind: JobKind): Promise<void> {
    const limit = CONCURRENCY - this.#running.size
    if (limit <= 0 || this.#closed) return
    const { store, owner } = this.#settings
    // Looked at first: most looks find nothing, and a claim would be a write.
    if ((await store.tally([kind.name])).due === 0) return
    const jobs = await store.claim({
      kind: kind.name,
      owner,
      leaseMs: this.#leaseMs,
      except: [...this.#running.keys()],
      limit,
    })
    for (const job of jobs) this.#start(kind, job)
  }

  #start(kind: JobKind, job: JobRow): void {
    const controller = new AbortController()
    const ended = this.#run(kind, job, controller).finally(() => {
      this.#running.delete(job.id)
      this.#wakeIn(0)
    })
    this.#running.set(job.id, { job, controller, ended })
  }

  async #run(kind: JobKind, job: JobRow, controller: AbortController): Promise<void> {
    const beat = setInterval(() => void this.#extend(job, controller), this.#leaseMs / 3).unref()
    try {
      // Claimed once too often: each of its attempts ended with its process.
      if (job.attempts > kind.attemptsMax) throw new Error('the process ended while it ran')
      const result = await kind.run(job, controller.signal)
      await this.#end(job, { type: 'done', result })
      this.#finished += 1
      if (this.#finished % FINISHED_BETWEEN_PRUNES === 0) await this.#settings.store.prune(kind.name, FINISHED_KEPT)
    } catch (error) {
      await this.#fail(kind, job, error, controller.signal)
    } finally {
      clearInterval(beat)
    }
  }

  async #fail(kind: JobKind, job: JobRow, error: unknown, signal: AbortSignal): Promise<void> {
    const givenBack =
      MemoryError.is(error, 'store/closed') || (signal.aborted && MemoryError.is(signal.reason, 'store/closed'))
    const attempt: Attempt = givenBack
      ? { type: 'given-back' }
      : { type: 'failed', error: errorText(error), chance: this.#settings.chance(), attemptsMax: kind.attemptsMax }
    await this.#end(job, attempt, error)
  }

  /** A store that cannot write it down now has the lease's end to tell. */
  async #end(job: JobRow, attempt: Attempt, error?: unknown): Promise<void> {
    try {
      const row = await endAttempt(this.#settings.store, job, attempt)
      if (row === undefined || attempt.type === 'given-back') return
      const ended = jobFromRow(row)
      this.#settings.emit(
        attempt.type === 'done' ? { type: 'job-end', job: ended } : { type: 'job-fail', job: ended, error },
      )
    } catch {
      // told by nobody but the lease
    }
  }

  async #extend(job: JobRow, controller: AbortController): Promise<void> {
    try {
      const kept = await extendLease(this.#settings.store, job, this.#leaseMs)
      if (!kept) controller.abort(new MemoryError('jobs/conflict', `Cannot continue job ${job.id}: its lease was lost`))
    } catch {
      // busy or failing: the lease lasts for two more tries
    }
  }

  get #leaseMs(): number {
    return this.#settings.leaseMs ?? LEASE_MS
  }

  #tally(): Promise<JobTally> {
    return this.#settings.store.tally(this.#settings.kinds.map(({ name }) => name))
  }
}
