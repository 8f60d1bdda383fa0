/** The longest time a timer can be set to: about 25 days. */
const TIMER_MS_MAX = 2 ** 31 - 1

/**
 * A bound on waiting: for a time, and only as long as the caller wants. Work that does not end by then is told so by
 * `signal` and left behind: whatever it answers later is nobody's, and its failure is no unhandled rejection.
 */
export class Deadline {
  readonly #controller = new AbortController()
  readonly #caller: AbortSignal
  readonly #timer: ReturnType<typeof setTimeout>
  readonly #over: Promise<never>
  readonly #abort: () => void
  #expired = false

  constructor(ms: number, caller: AbortSignal) {
    const over = Promise.withResolvers<never>()
    over.promise.catch(() => undefined)
    this.#over = over.promise
    this.#caller = caller
    this.#abort = () => {
      this.#controller.abort(caller.reason)
      over.reject(caller.reason)
    }
    this.#timer = setTimeout(
      () => {
        this.#expired = true
        const reason = new DOMException(`No reply within ${ms} ms`, 'TimeoutError')
        this.#controller.abort(reason)
        over.reject(reason)
      },
      Math.min(ms, TIMER_MS_MAX),
    )
    if (caller.aborted) this.#abort()
    else caller.addEventListener('abort', this.#abort, { once: true })
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Why the caller has stopped waiting, if so. */
  get cause(): 'aborted' | 'timeout' | undefined {
    if (this.#caller.aborted) return 'aborted'
    return this.#expired ? 'timeout' : undefined
  }

  /** Ends with the work, or with the deadline. Work that throws at once is work that fails. */
  async bound<T>(work: () => T | PromiseLike<T>): Promise<T> {
    // A race handles the rejection of the one that comes second.
    return Promise.race([this.#over, Promise.resolve().then(work)])
  }

  /** Lets go of the timer and of the caller's signal. */
  end(): void {
    clearTimeout(this.#timer)
    this.#caller.removeEventListener('abort', this.#abort)
  }
}
