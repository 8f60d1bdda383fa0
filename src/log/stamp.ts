import type { StoredSession } from '../ports/log-store.ts'

/** A clock is set back by less than this in daily life. */
const AHEAD_MS_MAX = 5 * 60_000

/**
 * When a change is recorded: time does not run backwards in a session. But a last stamp that is further ahead of the clock came
 * from a clock that was wrong, and is not carried on: order goes by sequence.
 */
export function stamp(now: number, { updatedAt }: Pick<StoredSession, 'updatedAt'>): number {
  return isAhead(now, updatedAt) ? now : Math.max(now, updatedAt)
}

/** Whether a stamp was made by a clock that was wrong, if this one is right. */
export function isAhead(now: number, at: number): boolean {
  return at - now > AHEAD_MS_MAX
}
