import pg from 'pg'
import { vi } from 'vitest'

export interface SeenTransaction {
  readonly texts: string[]
  /** The longest chain of statements of which each was sent after the answer to the one before. */
  roundTrips: number
}

/** The transactions that lock sessions while something is done: what runs beside it in the background locks none. */
export async function writesDuring(work: () => Promise<unknown>): Promise<readonly SeenTransaction[]> {
  const seen: SeenTransaction[] = []
  const open = new WeakMap<object, SeenTransaction>()
  const query = pg.Client.prototype.query as (...args: unknown[]) => unknown
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function watched(
    this: pg.Client,
    ...args: unknown[]
  ) {
    const [asked] = args as [string | { readonly text: string }]
    const sent = query.apply(this, args)
    if (typeof asked === 'string' && asked.startsWith('BEGIN')) {
      const begun = { texts: [], roundTrips: 0 }
      open.set(this, begun)
      seen.push(begun)
    }
    const transaction = open.get(this)
    if (typeof asked !== 'string' && transaction !== undefined) {
      transaction.texts.push(asked.text)
      const trip = transaction.roundTrips + 1
      const answered = (): void => void (transaction.roundTrips = Math.max(transaction.roundTrips, trip))
      ;(sent as Promise<unknown>).then(answered, answered)
    }
    return sent as never
  })
  try {
    await work()
  } finally {
    spy.mockRestore()
  }
  return seen.filter(({ texts }) => texts.some((text) => text.includes('FOR NO KEY UPDATE OF s')))
}
