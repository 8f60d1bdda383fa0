const FIRST_MS = 1_000
const LAST_MS = 15 * 60_000

/**
 * How long to wait after the n-th failed attempt: twice as long each time, up to a quarter of an hour, and half of it by
 * chance, so that jobs that failed together are not tried together.
 *
 * @param chance from 0 up to, but not including, 1
 */
export function backOffMs(attempts: number, chance: number): number {
  const longest = Math.min(LAST_MS, FIRST_MS * 2 ** Math.max(0, attempts - 1))
  return Math.round(longest / 2 + (longest / 2) * chance)
}
