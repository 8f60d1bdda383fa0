import { MemoryError } from '../domain/error.ts'
import type { Limits } from './limits.ts'

const CALLERS_REMEMBERED_MAX = 10_000

interface Lane {
  tokens: number
  filledAt: number
  running: number
  streams: number
  readonly waiting: (() => void)[]
}

type GateLimits = Pick<Limits, 'ratePerSecond' | 'runningPerKey' | 'waitingPerKey' | 'streamsPerKey'>

/**
 * Lets requests in, each key in its own lane: so many a second, so many at once, so many that wait. A noisy key fills its
 * own lane and is shed there, before its bodies are read; the others do not notice.
 */
export class Gate {
  readonly #lanes = new Map<string, Lane>()
  readonly #limits: GateLimits
  readonly #now: () => number
  shed = 0

  constructor(limits: GateLimits, now: () => number) {
    this.#limits = limits
    this.#now = now
  }

  /** Takes a place; what is returned gives it back. @throws {MemoryError} `server/overloaded` */
  async enter(caller: string): Promise<() => void> {
    const lane = this.#lane(caller)
    this.#spend(lane)
    if (lane.running >= this.#limits.runningPerKey) {
      if (lane.waiting.length >= this.#limits.waitingPerKey) throw this.#refusal(1)
      // The one who leaves hands its place over, so nobody overtakes.
      await new Promise<void>((resolve) => lane.waiting.push(resolve))
    } else lane.running += 1
    return once(() => {
      const next = lane.waiting.shift()
      if (next === undefined) lane.running -= 1
      else next()
    })
  }

  /** A place for a stream, which stays open and mostly idle. */
  openStream(caller: string): () => void {
    const lane = this.#lane(caller)
    this.#spend(lane)
    if (lane.streams >= this.#limits.streamsPerKey) throw this.#refusal(5)
    lane.streams += 1
    return once(() => {
      lane.streams -= 1
    })
  }

  #spend(lane: Lane): void {
    const { ratePerSecond } = this.#limits
    const now = this.#now()
    lane.tokens = Math.min(ratePerSecond, lane.tokens + (Math.max(0, now - lane.filledAt) / 1_000) * ratePerSecond)
    lane.filledAt = now
    if (lane.tokens < 1) throw this.#refusal(Math.max(1, Math.ceil(1 / ratePerSecond)))
    lane.tokens -= 1
  }

  #refusal(retryAfter: number): MemoryError {
    this.shed += 1
    return new MemoryError(
      'server/overloaded',
      `Cannot take the request: this key has too many, retry in ${retryAfter} s`,
      {
        retryAfter,
      },
    )
  }

  #lane(caller: string): Lane {
    let lane = this.#lanes.get(caller)
    if (lane === undefined) {
      if (this.#lanes.size >= CALLERS_REMEMBERED_MAX) this.#forgetIdle()
      lane = { tokens: this.#limits.ratePerSecond, filledAt: this.#now(), running: 0, streams: 0, waiting: [] }
      this.#lanes.set(caller, lane)
    }
    return lane
  }

  #forgetIdle(): void {
    for (const [caller, { running, streams }] of this.#lanes)
      if (running === 0 && streams === 0) this.#lanes.delete(caller)
  }
}

function once(release: () => void): () => void {
  let released = false
  return () => {
    if (released) return
    released = true
    release()
  }
}
