import { countTrip, tapQueries } from './tap-queries.ts'

export interface SeenTransaction {
  readonly texts: string[]
  roundTrips: number
}

/** The transactions that lock sessions while something is done: what runs beside it in the background locks none. */
export async function writesDuring(work: () => Promise<unknown>): Promise<readonly SeenTransaction[]> {
  const seen: SeenTransaction[] = []
  const open = new WeakMap<object, SeenTransaction>()
  await tapQueries(work, (asked, client, answer) => {
    if (typeof asked === 'string') {
      if (!asked.startsWith('BEGIN')) return
      const begun = { texts: [], roundTrips: 0 }
      open.set(client, begun)
      seen.push(begun)
      return
    }
    const transaction = open.get(client)
    if (transaction === undefined) return
    transaction.texts.push(asked.text)
    countTrip(transaction, answer)
  })
  return seen.filter(({ texts }) => texts.some((text) => text.includes('FOR NO KEY UPDATE OF s')))
}
