import type { PassageRange, PassageRow, Reach, TimeRange } from '../../ports/recall-store.ts'
import { clusters } from './clusters.ts'
import { type Program, inParallel, lists, listsEach } from './program.ts'
import { recallStatements as sql } from './recall-statements.ts'
import { readPairs } from './term-bytes.ts'

/** The columns in the order of the statements. */
export type RawPassage = readonly [
  thread: number,
  place: number,
  shelf: number,
  reference: string,
  speaker: string,
  role: number,
  at: number,
  length: number,
  cues: number,
  terms: Uint8Array,
]

export interface StoredPlace {
  readonly thread: number
  readonly place: number
}

/** Part of a thread, of a time, or what stands for one fact. */
export function* readPassages(
  of: PassageRange | TimeRange | { readonly thread: number; readonly reference: string },
): Program<readonly PassageRow[]> {
  const found =
    'reference' in of
      ? yield* lists<RawPassage>(sql.passagesOfReference, of.thread, JSON.stringify(of.reference))
      : 'shelf' in of
        ? yield* lists<RawPassage>(sql.passagesDuring, of.shelf, of.from, of.to, of.limit)
        : yield* lists<RawPassage>(sql.passagesIn, of.thread, of.from, of.through)
  return found.map(fromRaw)
}

/** One read for all of a cluster, unless long messages lie between its places: then around each by itself. */
export function* around(
  places: readonly StoredPlace[],
  { passages, distance }: Reach,
): Program<readonly (readonly PassageRow[])[]> {
  const all = clusters(places, distance * 2)
  const limits = all.map((cluster) => (passages * 2 + 1) * (cluster.length + 1))
  const found = yield* listsEach<RawPassage>(
    sql.passagesFrom,
    all.map((cluster, index) => [
      cluster[0]?.thread,
      (cluster[0]?.place ?? 0) - distance,
      (cluster.at(-1)?.place ?? 0) + distance,
      limits[index],
    ]),
  )
  const isWhole = (rows: readonly RawPassage[], index: number): boolean => rows.length < (limits[index] ?? 0)
  const dense = all.filter((_, index) => !isWhole(found[index] ?? [], index))
  const each = yield* inParallel(dense.map((cluster) => aroundEach(cluster, passages)))
  let next = 0
  return found.flatMap((rows, index) => (isWhole(rows, index) ? [rows.map(fromRaw)] : (each[next++] ?? [])))
}

/** The same for a store whose statements cost no round trip: where a thread has long messages, it looks first whether a range is too full. */
export function* aroundLocally(
  places: readonly StoredPlace[],
  { passages, distance }: Reach,
): Program<readonly (readonly PassageRow[])[]> {
  const stretches: (readonly PassageRow[])[] = []
  const threadsOfLong = new Set<number>()
  for (const cluster of clusters(places, distance * 2)) {
    const thread = cluster[0]?.thread ?? 0
    const range = [thread, (cluster[0]?.place ?? 0) - distance, (cluster.at(-1)?.place ?? 0) + distance]
    const limit = (passages * 2 + 1) * (cluster.length + 1)
    const isDense = threadsOfLong.has(thread) && (yield* lists(sql.nthPlace, ...range, limit - 1)).length > 0
    const rows = isDense ? [] : yield* lists<RawPassage>(sql.passagesFrom, ...range, limit)
    if (isDense || rows.length === limit) {
      threadsOfLong.add(thread)
      stretches.push(...(yield* aroundEach(cluster, passages)))
    } else stretches.push(rows.map(fromRaw))
  }
  return stretches
}

function* aroundEach(cluster: readonly StoredPlace[], passages: number): Program<readonly (readonly PassageRow[])[]> {
  const [before, after] = yield* inParallel([
    listsEach<RawPassage>(
      sql.passagesBefore,
      cluster.map(({ thread, place }) => [thread, place, passages]),
    ),
    listsEach<RawPassage>(
      sql.passagesAfter,
      cluster.map(({ thread, place }) => [thread, place - 1, passages + 1]),
    ),
  ])
  const found = new Set<number>()
  const stretches: PassageRow[][] = []
  for (const index of cluster.keys()) {
    const near = [...(before[index]?.toReversed() ?? []), ...(after[index] ?? [])].map(fromRaw)
    if (!near.some((row) => found.has(row.place))) stretches.push([])
    for (const row of near) if (!found.has(row.place)) stretches.at(-1)?.push(row)
    for (const row of near) found.add(row.place)
  }
  return stretches
}

export function fromRaw([
  thread,
  place,
  shelf,
  reference,
  speaker,
  role,
  at,
  length,
  cues,
  terms,
]: RawPassage): PassageRow {
  return {
    thread,
    place,
    shelf,
    reference: reference === '' ? '' : (JSON.parse(reference) as string),
    speaker: speaker === '""' ? '' : (JSON.parse(speaker) as string),
    role,
    at,
    length,
    cues,
    terms: readPairs(terms),
  }
}
