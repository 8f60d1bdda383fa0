import type { ErasureStatements } from './erasure-statements.ts'
import { type Program, allEach, one, runEach } from './program.ts'

/** Deletes those of the blobs that no message of the scope shows any more, and counts them. */
export function* eraseBlobs(
  sql: Pick<ErasureStatements, 'holdBlob' | 'blobsUsed' | 'deleteBlob'>,
  scope: string,
  hashes: Iterable<string>,
): Program<{ readonly blobs: number; readonly bytes: number }> {
  // In one order, so that no two who forget wait for each other; and before the look, after which nobody may come to use them.
  const inOrder = [...new Set(hashes)].toSorted()
  if (inOrder.length === 0) return { blobs: 0, bytes: 0 }
  const held = yield* allEach<{ readonly count: number }>(
    sql.holdBlob,
    inOrder.map((hash) => [scope, hash]),
  )
  const found = yield* one<{ readonly hashes: string }>(sql.blobsUsed, scope, scope)
  const used = new Set(JSON.parse(found?.hashes ?? '[]') as readonly string[])
  const unused = inOrder.flatMap((hash, index) =>
    used.has(hash) ? [] : [{ hash, bytes: held[index]?.[0]?.count ?? 0 }],
  )
  const blobs = yield* runEach(
    sql.deleteBlob,
    unused.map(({ hash }) => [scope, hash]),
  )
  return { blobs, bytes: unused.reduce((sum, { bytes }) => sum + bytes, 0) }
}
