import type { Asking } from '../ports/knowledge-store.ts'
import { ask } from './ask.ts'

/**
 * Rows with their revisions as a scope counts them: by the changes of the scope and its ancestors. Stored revisions are numbers of
 * the root, which would show how much other scopes of the root write.
 *
 * @param chain The scope and its ancestors.
 * @param pending The version of a change of the scope that is not stored yet.
 */
export function* countRevisions<Row extends { readonly revision: number }>(
  chain: readonly string[],
  rows: readonly Row[],
  pending: number = Number.POSITIVE_INFINITY,
): Asking<readonly Row[]> {
  if (rows.length === 0) return rows
  const counts = yield* ask({ of: 'changeCounts', scopes: chain, versions: rows.map(({ revision }) => revision) })
  return rows.map((row, index) => ({ ...row, revision: (counts[index] ?? 0) + (row.revision >= pending ? 1 : 0) }))
}
