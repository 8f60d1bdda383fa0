import { forgottenName } from './forgotten.ts'
import type { Address, Log } from './log.ts'

/** Those of the ids that were forgotten in this session: nothing brings them back. */
export async function forgottenAmong(log: Log, address: Address, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const names = new Map(ids.map((id) => [forgottenName({ ...address, kind: 'message', id }), id]))
  const found = await log.store.change<ReadonlySet<string>>({
    ...address,
    questions: { ids: [], callIds: [], blobs: [], forgotten: [...names.keys()] },
    decide: ({ forgotten }) => ({ answer: forgotten }),
  })
  return new Set([...found].flatMap((name) => names.get(name) ?? []))
}
