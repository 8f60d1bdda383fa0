import type { ErrorCode } from '../domain/error.ts'

export type Readiness = 'ready' | 'full' | 'read-only' | 'recovering' | 'stopping'

/** Whether the store takes writes, by what it said last: asking it would cost a write. */
export class Health {
  #readiness: Readiness = 'ready'

  get readiness(): Readiness {
    return this.#readiness
  }

  noticeSuccess(): void {
    if (this.#readiness !== 'stopping') this.#readiness = 'ready'
  }

  noticeError(code: ErrorCode): void {
    if (this.#readiness === 'stopping') return
    if (code === 'store/full') this.#readiness = 'full'
    else if (code === 'store/read-only') this.#readiness = 'read-only'
    else if (
      code === 'store/unknown' ||
      code === 'store/busy' ||
      code === 'store/cannot-open' ||
      code === 'store/corrupt'
    )
      this.#readiness = 'recovering'
  }

  stop(): void {
    this.#readiness = 'stopping'
  }
}
