import { MemoryError } from '../domain/error.ts'
import type { Limits } from './limits.ts'
import { whenIdle } from './when-idle.ts'

const CALLERS_REMEMBERED_MAX = 10_000

/** How long after its last request a key counts as active. */
const ACTIVE_MS = 1_000
/** Requests of a key that run together while other keys are active: theirs never wait for more than these. */
const BESIDE_OTHERS = 8
/** Requests other than appends: a database file serves them one after the other, so more at once would only make all of them slow. */
const HEAVY_TOGETHER = 4
const HEAVY_BESIDE_OTHERS = 1
/**
 * Whether it is one of many small requests that are stored together, one that takes the processor for a while, or such a one that
 * somebody waits for before they can say anything: a question. What takes minutes, such as an import, is long: it has a place of its
 * own, so that the key can be used meanwhile.
 */
export type RequestWeight = 'light' | 'heavy' | 'question' | 'long'

interface Lane {
  tokens: number
  filledAt: number
  streams: number
  running: number
  heavy: number
  long: number
  readonly waiting: { readonly weight: RequestWeight; readonly letIn: () => void }[]
  /** Whether the last one that was let in went past others. */
  overtook: boolean
  stopLooking: (() => void) | undefined
}

type GateLimits = Pick<Limits, 'ratePerSecond' | 'runningPerKey' | 'waitingPerKey' | 'streamsPerKey'>

/**
 * Lets requests in, each key in its own lane: so many a second, so many at once, so many that wait. A noisy key fills its own lane and
 * is refused there, before its bodies are read. It has few places for requests that take long, and few at all while other keys are
 * active, so that no key waits for many requests of another one.
 */
export class Gate {
  readonly #lanes = new Map<string, Lane>()
  readonly #limits: GateLimits
  readonly #now: () => number
  readonly #whenIdle: typeof whenIdle
  /** The lane of the last request, and the last one of another lane. */
  #last: { lane: Lane | undefined; at: number } = { lane: undefined, at: Number.NEGATIVE_INFINITY }
  #other: { lane: Lane | undefined; at: number } = this.#last
  shed = 0

  constructor(limits: GateLimits, now: () => number, idle: typeof whenIdle = whenIdle) {
    this.#limits = limits
    this.#now = now
    this.#whenIdle = idle
  }

  /** Takes a place, at once if one is free; what is returned gives it back. @throws {MemoryError} `server/overloaded` */
  enter(caller: string, weight: RequestWeight = 'heavy'): (() => void) | Promise<() => void> {
    const lane = this.#lane(caller)
    this.#spend(lane)
    if (this.#last.lane !== lane) this.#other = this.#last
    this.#last = { lane, at: this.#now() }
    const leave = once(() => {
      count(lane, weight, -1)
      this.#letIn(lane)
    })
    if (this.#firstInTurn(lane) !== undefined || !this.#hasPlace(lane, weight))
      return this.#wait(lane, weight).then(() => leave)
    count(lane, weight, 1)
    return leave
  }

  /** While it waits and the event loop is idle, those that run wait for a model or a network: then some more are let in. */
  async #wait(lane: Lane, weight: RequestWeight): Promise<void> {
    const { runningPerKey, waitingPerKey } = this.#limits
    if (lane.running + lane.waiting.length >= runningPerKey + waitingPerKey) throw this.#refusal(1)
    const turn = new Promise<void>((resolve) => lane.waiting.push({ weight, letIn: resolve }))
    lane.stopLooking ??= this.#whenIdle(() => this.#letIn(lane, HEAVY_TOGETHER))
    return turn
  }

  /**
   * Lets in whoever waits and has a place, in the order in which they came, and so many more. Every second one may be a question that
   * goes past the others: a key that appends and compacts all the time gets its answers soon, and nothing waits without end.
   */
  #letIn(lane: Lane, more = 0): void {
    let left = more
    while (lane.waiting.length > 0) {
      // A question that has no place yet holds nobody up who has one.
      const mayOvertake = !lane.overtook && (left > 0 || this.#hasPlace(lane, 'question'))
      const question = mayOvertake ? lane.waiting.findIndex(({ weight }) => weight === 'question') : -1
      const at = question < 0 ? (this.#firstInTurn(lane) ?? 0) : question
      const next = lane.waiting[at]
      if (next === undefined) break
      if (!this.#hasPlace(lane, next.weight) && (--left < 0 || lane.running >= this.#limits.runningPerKey)) return
      lane.waiting.splice(at, 1)
      lane.overtook = question > 0
      count(lane, next.weight, 1)
      next.letIn()
    }
    lane.stopLooking?.()
    lane.stopLooking = undefined
  }

  /** Who waits longest. Long ones that wait for another long one let others past. */
  #firstInTurn(lane: Lane): number | undefined {
    if (lane.waiting.length === 0) return undefined
    const first = lane.waiting.findIndex(({ weight }) => weight !== 'long' || this.#hasPlace(lane, weight))
    return first < 0 ? undefined : first
  }

  #hasPlace(lane: Lane, weight: RequestWeight): boolean {
    if (lane.running >= this.#limits.runningPerKey) return false
    const other = this.#last.lane === lane ? this.#other : this.#last
    const alone = this.#now() - other.at >= ACTIVE_MS
    const others = weight === 'light' ? 0 : weight === 'long' ? lane.long : lane.heavy
    if (others >= (alone ? HEAVY_TOGETHER : HEAVY_BESIDE_OTHERS)) return false
    return alone || lane.running < BESIDE_OTHERS
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
      lane = {
        tokens: this.#limits.ratePerSecond,
        filledAt: this.#now(),
        running: 0,
        heavy: 0,
        long: 0,
        streams: 0,
        waiting: [],
        overtook: false,
        stopLooking: undefined,
      }
      this.#lanes.set(caller, lane)
    }
    return lane
  }

  #forgetIdle(): void {
    for (const [caller, { running, streams }] of this.#lanes)
      if (running === 0 && streams === 0) this.#lanes.delete(caller)
  }
}

function count(lane: Lane, weight: RequestWeight, by: 1 | -1): void {
  lane.running += by
  if (weight === 'long') lane.long += by
  else if (weight !== 'light') lane.heavy += by
}

function once(release: () => void): () => void {
  let released = false
  return () => {
    if (released) return
    released = true
    release()
  }
}
