import { MemoryError } from '../domain/error.ts'
import { Bell } from './bell.ts'

interface Followed<Item> {
  /** Yields what there is, and waits for the bell where there is nothing. */
  readonly items: (bell: Bell) => AsyncGenerator<Item, undefined>
  /** Rings after each commit; returns what ends that. */
  readonly subscribe: (ring: () => void) => () => void
  readonly signal: AbortSignal | undefined
}

/** Follows something until the signal, the reader or the closed memory ends it. */
export function untilEnded<Item>({ items, subscribe, signal }: Followed<Item>): AsyncIterableIterator<Item, undefined> {
  const bell = new Bell()
  const following = untilClosed(items(bell))
  let unsubscribe: (() => void) | undefined
  const end = (): void => {
    bell.stop()
    unsubscribe?.()
    signal?.removeEventListener('abort', end)
  }
  signal?.addEventListener('abort', end, { once: true })
  if (signal?.aborted === true) end()
  return {
    [Symbol.asyncIterator]() {
      return this
    },
    async next() {
      // Only now: a watch that nobody reads keeps nothing alive.
      if (!bell.stopped) unsubscribe ??= subscribe(() => bell.ring())
      try {
        const step = await following.next()
        if (step.done === true) end()
        return step
      } catch (error) {
        end()
        throw error
      }
    },
    // Stops the bell first: a `next` that waits for it would otherwise keep `return` waiting forever.
    async return() {
      end()
      await following.return(undefined)
      return { done: true, value: undefined }
    },
  }
}

async function* untilClosed<Item>(items: AsyncGenerator<Item, undefined>): AsyncGenerator<Item, undefined> {
  try {
    yield* items
  } catch (error) {
    if (!MemoryError.is(error, 'store/closed')) throw error
  }
  return undefined
}
