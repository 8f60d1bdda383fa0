import { type ErrorCode, MemoryError } from '../domain/error.ts'
import type { AccessStore } from '../ports/access-store.ts'

export type Readiness = 'ready' | 'full' | 'read-only' | 'recovering' | 'stopping'

/** At most so often is a store tried that does not take writes. */
const TRY_MS = 500
/** As much as a message may well have: on a disk that is nearly full a few bytes always find a place. */
const TRIED_BYTES = 65_536

const WORDS: Partial<Readonly<Record<ErrorCode, Readiness>>> = {
  'store/full': 'full',
  'store/read-only': 'read-only',
  'store/unknown': 'recovering',
  'store/busy': 'recovering',
  'store/cannot-open': 'recovering',
  'store/corrupt': 'recovering',
}

/**
 * Whether the store takes writes, by what it said last. While it does not, whoever asks makes it try: a server that is not ready
 * gets no requests from the one who shares them out, and would never find out that it is well again.
 */
export class Health {
  readonly #store: AccessStore
  readonly #now: () => number
  #readiness: Readiness = 'ready'
  #triedAt = Number.NEGATIVE_INFINITY
  #trying: Promise<void> | undefined

  constructor(store: AccessStore, now: () => number) {
    this.#store = store
    this.#now = now
  }

  get readiness(): Readiness {
    return this.#readiness
  }

  noticeSuccess(): void {
    if (this.#readiness !== 'stopping') this.#readiness = 'ready'
  }

  noticeError(code: ErrorCode): void {
    if (this.#readiness !== 'stopping') this.#readiness = WORDS[code] ?? this.#readiness
  }

  stop(): void {
    this.#readiness = 'stopping'
  }

  /** The readiness, after a try if it was bad. */
  async look(): Promise<Readiness> {
    if (this.#readiness !== 'ready' && this.#readiness !== 'stopping') {
      if (this.#now() - this.#triedAt >= TRY_MS)
        this.#trying ??= this.#try().finally(() => {
          this.#trying = undefined
        })
      await this.#trying
    }
    return this.#readiness
  }

  async #try(): Promise<void> {
    this.#triedAt = this.#now()
    try {
      // Of no request: the next answer that is kept takes its place.
      await this.#store.keepAnswer(
        { name: 'readyz', request: '', status: 200, body: ' '.repeat(TRIED_BYTES), at: 0 },
        1,
      )
      await this.#store.keepAnswer({ name: 'readyz', request: '', status: 200, body: '', at: 0 }, 1)
      this.noticeSuccess()
    } catch (error) {
      if (MemoryError.is(error)) this.noticeError(error.code)
    }
  }
}
