import type { WatchOptions } from '../api/messages.ts'
import type { Message } from '../domain/message.ts'
import { piecesPlace } from '../domain/pieces-place.ts'
import type { Clock } from '../ports/clock.ts'
import type { LogStore } from '../ports/log-store.ts'
import type { Bell } from './bell.ts'
import type { Address, Log } from './log.ts'
import { scan } from './scan.ts'
import { STREAM_SILENCE_MS_MAX } from './stream-silence.ts'
import { untilEnded } from './until-ended.ts'
import { openView } from './view.ts'
import { isStreamed } from './with-pieces.ts'

/** While a message is held back. A commit also wakes the watch, but not every store wakes it for a revision. */
const HOLD_MS = 500

/**
 * Yields every committed message once, in order, whoever appended it. Positions are handed out in the transaction that
 * commits, so the order of sequence numbers is the order of commits. A message that is being streamed is held back with all that
 * comes after it, so that it is yielded when it is complete. Ends when the memory is closed.
 */
export function watch(
  { store, clock, order }: Pick<Log, 'store' | 'clock' | 'order'>,
  address: Address,
  options: WatchOptions,
): AsyncIterableIterator<Message, undefined> {
  // In the order of calls: an append that is called after it comes after it, also where reads and writes use other connections.
  const start =
    options.after === undefined ? order.after(address, endOf(store, address)) : Promise.resolve({ seen: options.after })
  start.catch(() => undefined) // reported by the first `next`, not as an unhandled rejection
  return untilEnded({
    items: (bell) => follow(store, address, start, { bell, held: new HeldBack(store, address, clock) }),
    subscribe: (ring) => store.subscribe(address.scope, address.session, ring),
    signal: options.signal,
  })
}

interface Start {
  readonly seen: number
  /** Of the session that it is a place of. */
  readonly key?: number
}

async function endOf(store: LogStore, address: Address): Promise<Start> {
  const session = await store.session(address.scope, address.session)
  return session === undefined ? { seen: 0 } : { seen: session.lastSeq, key: session.key }
}

async function* follow(
  store: LogStore,
  address: Address,
  start: Promise<Start>,
  { bell, held }: { readonly bell: Bell; readonly held: HeldBack },
): AsyncGenerator<Message, undefined> {
  let { seen, key } = await start
  while (!bell.stopped) {
    bell.silence()
    let isHeld = false
    const view = await openView(store, address)
    // The session was forgotten, and a new one has its name: the log of that one starts at 1.
    if (view !== undefined && key !== undefined && key !== view.session.key) seen = 0
    key = view?.session.key ?? key
    if (view !== undefined && view.lastSeq > seen) {
      for await (const message of scan(store, view, {
        from: seen + 1,
        through: view.lastSeq,
        newestFirst: false,
        withRemoved: true,
      })) {
        if (bell.stopped) return undefined
        isHeld = isStreamed(message) && message.removed !== true && (await held.holds(message))
        if (isHeld) break
        seen = message.seq
        yield message
      }
    }
    await bell.wait(isHeld ? HOLD_MS : undefined)
  }
  return undefined
}

/** Which message is held back, and since when nothing more of it was stored. */
class HeldBack {
  readonly #store: LogStore
  readonly #address: Address
  readonly #clock: Clock
  #last: { readonly id: string; readonly version: number; readonly since: number } | undefined

  constructor(store: LogStore, address: Address, clock: Clock) {
    this.#store = store
    this.#address = address
    this.#clock = clock
  }

  async holds({ id, at }: Message): Promise<boolean> {
    const { scope, session } = this.#address
    const [newest] = (await this.#store.pieces(piecesPlace(scope, session, id))).slice(-1)
    const version = newest?.version ?? 0
    if (this.#last?.id !== id || this.#last.version !== version) {
      // Clocks of several machines differ a little: after the first look, only the time here counts.
      const age = this.#last?.id === id ? 0 : Math.max(0, this.#clock.now() - (newest?.at ?? Date.parse(at)))
      this.#last = { id, version, since: performance.now() - age }
    }
    return performance.now() - this.#last.since < STREAM_SILENCE_MS_MAX
  }
}
