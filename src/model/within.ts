/** The longest time a timer can be set to: about 25 days. */
const TIMER_MS_MAX = 2 ** 31 - 1

export type Waited<Result> =
  | { readonly ok: true; readonly value: Result }
  | { readonly ok: false; readonly reason: 'aborted' | 'timeout' | 'failed'; readonly error: unknown }

/**
 * Waits for work, but not longer than this and not longer than the caller wants. Work that does not end by then is told so by its
 * signal and left behind: whatever it answers later is nobody's, and its failure is no unhandled rejection.
 */
export async function within<Result>(
  ms: number,
  caller: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Waited<Result>> {
  if (caller.aborted) return { ok: false, reason: 'aborted', error: caller.reason }
  const controller = new AbortController()
  const over = Promise.withResolvers<Waited<Result>>()
  const end = (reason: 'aborted' | 'timeout', error: unknown): void => {
    over.resolve({ ok: false, reason, error })
    controller.abort(error)
  }
  const abort = (): void => end('aborted', caller.reason)
  caller.addEventListener('abort', abort, { once: true })
  const timer = setTimeout(
    () => end('timeout', new DOMException(`No answer within ${ms} ms`, 'TimeoutError')),
    Math.min(ms, TIMER_MS_MAX),
  )
  const done = Promise.resolve()
    .then(() => work(controller.signal))
    .then(
      (value): Waited<Result> => ({ ok: true, value }),
      (error: unknown): Waited<Result> => ({ ok: false, reason: 'failed', error }),
    )
  try {
    return await Promise.race([over.promise, done])
  } finally {
    clearTimeout(timer)
    caller.removeEventListener('abort', abort)
  }
}
