import { rootOf } from '../../domain/scope-path.ts'
import type { ArchiveRow } from '../../ports/archive-store.ts'
import type { VersionMark } from '../../ports/knowledge-store.ts'
import { knowledgeStatements as sql } from './knowledge-statements.ts'
import { type Program, allEach, change, changeRows, countRows, one, together } from './program.ts'

/** How many versions are looked at in one round of a search: few round trips on a server, few statements in a file. */
const VERSIONS_PER_ROUND = 8

/** How many changes of some scopes of one root there were up to each version. */
export function* changeCounts(scopes: readonly string[], versions: readonly number[]): Program<readonly number[]> {
  const different = [...new Set(versions)]
  const found = yield* allEach<{ readonly count: number }>(
    sql.changesBy,
    different.flatMap((version) => scopes.map((scope) => [scope, version])),
  )
  const counts = new Map(
    different.map((version, index) => {
      const own = found.slice(index * scopes.length, (index + 1) * scopes.length)
      return [version, own.reduce((sum, [row]) => sum + (row?.count ?? 0), 0)]
    }),
  )
  return versions.map((version) => counts.get(version) ?? 0)
}

/** The version that the nth change of some scopes of one root made, counted from 1: found by dividing the versions of the root. */
export function* nthChange(scopes: readonly string[], nth: number): Program<VersionMark | undefined> {
  const root = rootOf(scopes[0] ?? '')
  const newest = yield* one<VersionMark>(sql.newestMark, root)
  if (newest === undefined) return undefined
  // Up to `low` there were fewer changes than n, up to `high` there were n or more.
  let low = 0
  let high = newest.version
  const [all = 0] = yield* changeCounts(scopes, [high])
  if (all < nth) return undefined
  while (high - low > 1) {
    const step = Math.ceil((high - low) / (VERSIONS_PER_ROUND + 1))
    const between: number[] = []
    for (let version = low + step; version < high; version += step) between.push(version)
    const counts = yield* changeCounts(scopes, between)
    const reached = counts.findIndex((count) => count >= nth)
    low = (reached === -1 ? between.at(-1) : between[reached - 1]) ?? low
    high = between[reached] ?? high
  }
  return yield* one(sql.markByVersion, root, high)
}

/** Stores changes of an archive, each with its number in its scope. Those that come after them in the same scope get new numbers. */
export function* insertChanges(rows: readonly ArchiveRow[]): Program<void> {
  const ordered = rows.toSorted((a, b) => Number(a['version']) - Number(b['version']))
  for (const [scope, own] of Map.groupBy(ordered, (row) => String(row['scope']))) {
    const root = rootOf(scope)
    const before = Number(own[0]?.['version']) - 1
    const first = yield* countRows(sql.changesBy, scope, before)
    const stored = yield* countRows(sql.changesBy, scope, Number.MAX_SAFE_INTEGER)
    yield* together(
      own.map((row, index) => change(sql.insertMark, root, row['version'], scope, row['at'], first + index + 1)),
    )
    if (stored > first) yield* changeRows(sql.renumberChanges, first, scope, before)
  }
}
