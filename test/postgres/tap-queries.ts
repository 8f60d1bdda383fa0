import pg from 'pg'
import { vi } from 'vitest'

export type Asked = string | { readonly text: string }

/** Sees what the driver is given while something is done: by which connection, and the promise of its answer. */
export async function tapQueries(
  work: () => Promise<unknown>,
  see: (asked: Asked, client: object, answer: Promise<unknown>) => void,
): Promise<void> {
  const query = pg.Client.prototype.query as (...args: unknown[]) => unknown
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function tapped(
    this: pg.Client,
    ...args: unknown[]
  ) {
    const sent = query.apply(this, args)
    see(args[0] as Asked, this, sent as Promise<unknown>)
    return sent as never
  })
  try {
    await work()
  } finally {
    spy.mockRestore()
  }
}

/** Counts the longest chain of statements of which each was sent after the answer to the one before. */
export function countTrip(traffic: { roundTrips: number }, answer: Promise<unknown>): void {
  const trip = traffic.roundTrips + 1
  const answered = (): void => void (traffic.roundTrips = Math.max(traffic.roundTrips, trip))
  answer.then(answered, answered)
}
