import { Deadline } from './deadline.ts'

export type Waited<Result> =
  | { readonly ok: true; readonly value: Result }
  | { readonly ok: false; readonly reason: 'aborted' | 'timeout' | 'failed'; readonly error: unknown }

/** Waits for one piece of work, but not longer than this and not longer than the caller wants. */
export async function within<Result>(
  ms: number,
  caller: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Waited<Result>> {
  if (caller.aborted) return { ok: false, reason: 'aborted', error: caller.reason }
  const deadline = new Deadline(ms, caller)
  try {
    return { ok: true, value: await deadline.bound(() => work(deadline.signal)) }
  } catch (error) {
    return { ok: false, reason: deadline.cause ?? 'failed', error }
  } finally {
    deadline.end()
  }
}
