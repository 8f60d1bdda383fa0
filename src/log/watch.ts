import type { WatchOptions } from '../api/messages.ts'
import { MemoryError } from '../domain/error.ts'
import type { Message } from '../domain/message.ts'
import type { LogStore } from '../ports/log-store.ts'
import type { Address } from './log.ts'
import { scan } from './scan.ts'
import { openView } from './view.ts'

/**
 * Yields every committed message once, in order, whoever appended it. Positions are handed out in the transaction that
 * commits, so the order of sequence numbers is the order of commits. Ends when the memory is closed.
 */
export function watch(
  store: LogStore,
  address: Address,
  options: WatchOptions,
): AsyncIterableIterator<Message, undefined> {
  const bell = new Bell()
  const start = options.after === undefined ? endOf(store, address) : Promise.resolve({ seen: options.after })
  start.catch(() => undefined) // reported by the first `next`, not as an unhandled rejection
  const messages = follow(store, address, start, bell)
  let unsubscribe: (() => void) | undefined
  const end = (): void => {
    bell.stop()
    unsubscribe?.()
    options.signal?.removeEventListener('abort', end)
  }
  options.signal?.addEventListener('abort', end, { once: true })
  if (options.signal?.aborted === true) end()
  return {
    [Symbol.asyncIterator]() {
      return this
    },
    async next() {
      // Only now: a watch that nobody reads keeps nothing alive.
      if (!bell.stopped) unsubscribe ??= store.subscribe(address.scope, address.session, () => bell.ring())
      try {
        const step = await messages.next()
        if (step.done === true) end()
        return step
      } catch (error) {
        end()
        throw error
      }
    },
    // Stops the bell first: a `next` that waits for it would otherwise keep `return` waiting for ever.
    async return() {
      end()
      await messages.return(undefined)
      return { done: true, value: undefined }
    },
  }
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
  bell: Bell,
): AsyncGenerator<Message, undefined> {
  try {
    let { seen, key } = await start
    while (!bell.stopped) {
      bell.silence()
      const view = await openView(store, address)
      // Forgotten and begun anew: another log under the same name, which starts at 1 again.
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
          seen = message.seq
          yield message
        }
      }
      await bell.wait()
    }
  } catch (error) {
    if (!MemoryError.is(error, 'store/closed')) throw error
  }
  return undefined
}

/** A wake-up that is never lost: one that rings between the read and the wait ends the wait at once. */
class Bell {
  stopped = false
  #rung = false
  #wake: (() => void) | undefined

  ring(): void {
    this.#rung = true
    this.#wake?.()
  }

  silence(): void {
    this.#rung = false
  }

  stop(): void {
    this.stopped = true
    this.ring()
  }

  async wait(): Promise<void> {
    if (this.#rung || this.stopped) return
    await new Promise<void>((resolve) => {
      this.#wake = resolve
    })
    this.#wake = undefined
  }
}
