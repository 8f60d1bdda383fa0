import { defined } from '../domain/defined.ts'
import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { MemoryError } from '../domain/error.ts'
import type { PostWiring } from './post-words.ts'
import { POSTING_WAIT_MS } from './posting-wait-ms.ts'

/** Appends come in bursts, and a burst goes first: posting starts when nothing was appended for this long. */
const DELAY_MS = 200
/** Or this long after the first append of a burst that does not end. A recall that comes earlier starts it at once. */
const DELAY_MAX_MS = 5_000
/** Scopes that are posted at once while no recall waits for them. */
const SCOPES_AT_ONCE = 2
const SESSIONS_PER_LOOK = 200

interface Run {
  readonly ended: Promise<void>
  /** What starts when this one ends, because more was appended after it began. */
  next: Promise<void> | undefined
}

/** What posting works with. `pause` is added here. */
type PostingParts = Omit<PostWiring, 'pause'>

export interface PostingSettings {
  /** How long a question waits. @default 50 */
  readonly waitMs?: number | undefined
  /** Nothing is posted. @default false */
  readonly readOnly?: boolean | undefined
  /** Lets the reads of one piece of work share a transaction. @default each has its own */
  readonly together?: <Result>(work: () => Promise<Result>) => Promise<Result>
}

/**
 * Adds what was appended to the search index, in the background and each scope by itself. While a caller waits for a scope, it is
 * posted at full speed; otherwise posting takes at most half of the time. Nothing is kept about what is left to do: the index has
 * a cursor for each session, so a process that stops here is continued by the next that asks.
 */
export class Posting {
  readonly #load: () => Promise<PostingParts>
  readonly #settings: PostingSettings
  readonly #runs = new Map<string, Run>()
  readonly #waiting = new Map<string, number>()
  /** A run may rest in two places at once: while it writes, and while it reads on. */
  readonly #resting = new Set<{ readonly scope: string; readonly rest: AbortController }>()
  readonly #noted = new Set<string>()
  /** Scopes for which a question waited too long, until all of theirs is posted. */
  readonly #long = new Set<string>()
  #timer: NodeJS.Timeout | undefined
  /** When the burst began whose end the timer waits for. */
  #burstAt = 0
  #background: Promise<void> = Promise.resolve()
  readonly #closing = new AbortController()
  /** A caller's transaction does not extend to what outlives the call. */
  readonly #outside = AsyncLocalStorage.snapshot()

  constructor(load: () => Promise<PostingParts>, settings: PostingSettings = {}) {
    this.#load = load
    this.#settings = settings
  }

  /** Something in this scope changed: it is posted soon. Cheap. */
  soon(scope: string): void {
    if (this.#closing.signal.aborted || this.#settings.readOnly === true) return
    this.#noted.add(scope)
    if (this.#timer !== undefined) {
      if (performance.now() - this.#burstAt < DELAY_MAX_MS) this.#timer.refresh()
      return
    }
    this.#burstAt = performance.now()
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#background = this.#background.then(() => this.#postNoted())
    }, DELAY_MS).unref()
  }

  /** Posts everything that is in the scope now, at full speed. */
  async now(scope: string): Promise<void> {
    if (this.#settings.readOnly === true) throw readOnlyError()
    this.#startWaiting(scope)
    try {
      await this.#post(scope)
    } finally {
      this.#stopWaiting(scope)
    }
  }

  /**
   * Starts posting these scopes, in their order, and waits no longer than a question may take. After one question waited too long,
   * the next ones do not wait until all is posted: they would only slow down each other and everybody else. Returns whether all is
   * posted, and the failure if one stopped it.
   */
  async within(scopes: readonly string[]): Promise<{ readonly done: boolean; readonly failure?: unknown }> {
    if (this.#settings.readOnly === true) return { done: false, failure: readOnlyError() }
    if (scopes.some((scope) => this.#long.has(scope))) {
      for (const scope of scopes) this.#post(scope).catch(() => undefined)
      return { done: false }
    }
    const timer = new AbortController()
    const late = sleep(this.#settings.waitMs ?? POSTING_WAIT_MS, undefined, { signal: timer.signal }).then(() => {
      for (const scope of scopes) if (this.#runs.has(scope)) this.#long.add(scope)
      return { done: false }
    })
    const posted = this.#inOrder(scopes, timer.signal).then(
      () => ({ done: true }),
      (failure: unknown) => ({ done: false, failure }),
    )
    try {
      return await Promise.race([posted, late])
    } finally {
      timer.abort()
      late.catch(() => undefined)
    }
  }

  /** Waits until everything is posted, in every scope that has sessions or was changed by this process. */
  async settled(): Promise<void> {
    if (this.#settings.readOnly === true) return
    const { log, recall } = await this.#load()
    const seen = new Set<string>()
    const postNew = async (scope: string): Promise<void> => {
      if (seen.has(scope) || this.#closing.signal.aborted) return
      seen.add(scope)
      if ((await recall.unposted([scope])).length > 0) await this.now(scope)
    }
    for (const scope of [...this.#noted, ...this.#runs.keys()]) {
      this.#noted.delete(scope)
      await postNew(scope)
    }
    for (let before: number | undefined; ;) {
      const page = await log.sessions({ everyScope: true }, { limit: SESSIONS_PER_LOOK, ...defined({ before }) })
      for (const { scope } of page) await postNew(scope)
      before = page.at(-1)?.key
      if (page.length < SESSIONS_PER_LOOK) return
      await setImmediate()
    }
  }

  /** Stops at the next step. What is left is posted by whoever asks next. */
  async close(): Promise<void> {
    this.#closing.abort()
    clearTimeout(this.#timer)
    await Promise.allSettled([this.#background, ...[...this.#runs.values()].map(({ ended }) => ended)])
  }

  async #inOrder(scopes: readonly string[], signal: AbortSignal): Promise<void> {
    for (const [nth, scope] of scopes.entries()) {
      if (signal.aborted) {
        for (const later of scopes.slice(nth)) this.soon(later)
        return
      }
      this.#startWaiting(scope)
      const posted = this.#post(scope)
      // From then on no question waits for it.
      const stop = (): void => this.#stopWaiting(scope)
      const gaveUp = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
      await Promise.race([posted, gaveUp]).finally(stop)
      posted.catch(() => undefined)
    }
  }

  /** From now on at full speed, also if it rests: that keeps no process alive, and the caller has to get an answer. */
  #startWaiting(scope: string): void {
    this.#waiting.set(scope, (this.#waiting.get(scope) ?? 0) + 1)
    for (const { scope: resting, rest } of this.#resting) if (resting === scope) rest.abort()
  }

  #stopWaiting(scope: string): void {
    const left = (this.#waiting.get(scope) ?? 1) - 1
    if (left > 0) this.#waiting.set(scope, left)
    else this.#waiting.delete(scope)
  }

  async #postNoted(): Promise<void> {
    const one = async (): Promise<void> => {
      // A failure, such as a full disk, is reported to the next caller of `recall`, which tries again.
      for (const scope of this.#noted) {
        if (this.#closing.signal.aborted) return
        this.#noted.delete(scope)
        await this.#post(scope).catch(() => undefined)
      }
    }
    await Promise.all(Array.from({ length: SCOPES_AT_ONCE }, one))
  }

  /** What runs may have looked already: then one more run follows, which all later callers share. */
  #post(scope: string): Promise<void> {
    const run = this.#runs.get(scope)
    if (run === undefined) return this.#start(scope)
    run.next ??= run.ended.then(
      () => this.#post(scope),
      () => this.#post(scope),
    )
    return run.next
  }

  #start(scope: string): Promise<void> {
    const ended = this.#outside(() => this.#run(scope)).finally(() => {
      if (this.#runs.get(scope)?.next === undefined) this.#long.delete(scope)
      this.#runs.delete(scope)
    })
    this.#runs.set(scope, { ended, next: undefined })
    return ended
  }

  /**
   * Does not keep the process alive. `close` and whoever waits for the scope end it, since nothing else might wake a process that
   * only waits for them.
   */
  async #rest(scope: string, ms: number): Promise<void> {
    const rest = new AbortController()
    const resting = { scope, rest }
    this.#resting.add(resting)
    const signal = AbortSignal.any([rest.signal, this.#closing.signal])
    await sleep(Math.ceil(ms), undefined, { ref: false, signal }).catch(() => undefined)
    this.#resting.delete(resting)
  }

  async #run(scope: string): Promise<void> {
    const parts = await this.#load()
    const { postWords } = await import('./post-words.ts')
    let since = performance.now()
    const pause = async (): Promise<void> => {
      if (this.#closing.signal.aborted)
        throw new MemoryError('store/closed', 'Cannot continue indexing: the memory is being closed, open another')
      if (this.#waiting.has(scope)) await setImmediate()
      else await this.#rest(scope, performance.now() - since)
      since = performance.now()
    }
    const { together = (work) => work() } = this.#settings
    await together(() => postWords({ ...parts, pause }, scope))
  }
}

function readOnlyError(): MemoryError {
  return new MemoryError('store/read-only', 'Cannot index messages: the memory was opened with readOnly', {})
}
