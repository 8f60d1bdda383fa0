import { setTimeout } from 'node:timers/promises'
import { fromSqlite, isBusy } from './errors.ts'

/** Longer than any honest transaction of another process; after that, somebody holds the file and does nothing. */
export const WAIT_MS_MAX = 15_000

/**
 * Runs something synchronous against the file, trying again while another process holds the lock. SQLite's own waiting
 * would hold the event loop, and starves one of two busy processes; short random pauses do neither.
 */
export async function retryBusy<Result>(
  attempt: string,
  run: () => Result,
  onError: (error: unknown) => void,
): Promise<Result> {
  const deadline = performance.now() + WAIT_MS_MAX
  for (let tries = 0; ; tries++) {
    try {
      return run()
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) {
        onError(error)
        throw fromSqlite(attempt, error)
      }
    }
    await setTimeout(1 + Math.random() * Math.min(20, 2 + tries))
  }
}
