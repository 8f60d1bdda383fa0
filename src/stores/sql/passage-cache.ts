import type { PassageRow, Reach } from '../../ports/recall-store.ts'
import { clusters } from './clusters.ts'
import type { SqlDialect } from './dialect.ts'
import { type StoredPlace, type RawPassage, aroundLocally, fromRaw } from './passages.ts'
import { PASSAGES_PER_SEQ } from './passages-per-seq.ts'
import { type Program, allEach, lists } from './program.ts'
import { keysStatements, recallStatements as sql } from './recall-statements.ts'

/** The state of a thread. While its shelf and `disturbed` stay the same, passages up to message `seq` do not change. */
interface Stamp {
  readonly thread: number
  readonly shelf: number
  readonly disturbed: number
  readonly seq: number
  /** Of the whole shelf. */
  readonly passages: number
}

interface Chunk {
  readonly shelf: number
  readonly disturbed: number
  /** Those of a few messages that follow one another; `undefined` if they are too many to be read at once. */
  readonly rows: readonly PassageRow[] | undefined
}

/** Enough that a place and its neighbours are in two or three, and few enough that little is read without need. */
const SEQS_PER_CHUNK = 8
const PLACES_PER_CHUNK = SEQS_PER_CHUNK * PASSAGES_PER_SEQ
/** More would be a long text, of which a question needs a small part. */
const ROWS_PER_CHUNK_MAX = 256
/** On average one or two for each. */
const ROWS_OF_SHORT_MESSAGES = 2 * SEQS_PER_CHUNK
/** Messages without text have no passages. Where there are many of them, the database finds the next one that has. */
const CHUNKS_AWAY_MAX = 4
/** Numbers held in a generation of the cache: about 8 MB. There are two. */
const NUMBERS_MAX = 1_000_000
/** Of a larger shelf few are still there when they are wanted again, and to read a whole chunk for each was measured as slower. */
const PASSAGES_OF_SHELF_MAX = 25_000
/** What a passage holds besides its terms. */
const NUMBERS_PER_PASSAGE = 30

/**
 * Passages that questions have read, so that the next question need not read and unpack them again. Only for a store whose statements
 * cost no round trip: each question first reads in which state the threads are.
 */
export class PassageCache {
  readonly #stampsSql: string
  readonly #among: SqlDialect['among']
  #young = new Map<string, Chunk>()
  #old = new Map<string, Chunk>()
  #numbers = 0

  constructor(dialect: SqlDialect) {
    this.#stampsSql = keysStatements(dialect).stamps
    this.#among = dialect.among
  }

  /** The same as `around` in `passages.ts`. */
  *around(places: readonly StoredPlace[], reach: Reach): Program<readonly (readonly PassageRow[])[]> {
    const stamps = yield* this.#stamps(places)
    const stretches: (readonly PassageRow[])[] = []
    const uncached: StoredPlace[] = []
    for (const cluster of clusters(places, reach.distance * 2)) {
      const stamp = stamps.get(cluster[0]?.thread ?? 0)
      const found =
        stamp === undefined
          ? undefined
          : reach.passages === 0
            ? this.#alone(stamp, cluster)
            : yield* this.#aroundCluster(stamp, cluster, reach)
      if (found === undefined) uncached.push(...cluster)
      else stretches.push(...found)
    }
    return uncached.length === 0 ? stretches : [...stretches, ...(yield* aroundLocally(uncached, reach))]
  }

  /** Single passages: to read a whole chunk for each would be a waste. */
  #alone(stamp: Stamp, cluster: readonly StoredPlace[]): readonly (readonly PassageRow[])[] | undefined {
    const found: (readonly PassageRow[])[] = []
    for (const { place } of cluster) {
      const rows = this.#known(stamp, chunkOf(place))?.rows
      if (rows === undefined) return undefined
      found.push(rows.filter((row) => row.place === place))
    }
    return found
  }

  /** The threads of messages. Folds and facts are few, and their places do not only grow. */
  *#stamps(places: readonly StoredPlace[]): Program<ReadonlyMap<number, Stamp>> {
    const threads = [...new Set(places.map(({ thread }) => thread))].filter((thread) => thread % 4 === 0)
    const rows = yield* allEach<Stamp>(this.#stampsSql, this.#among.values(threads))
    const small = rows.flat().filter(({ passages }) => passages <= PASSAGES_OF_SHELF_MAX)
    return new Map(small.map((stamp) => [stamp.thread, stamp]))
  }

  /** `undefined` where a message is so long that only its nearest passages should be read. */
  *#aroundCluster(
    stamp: Stamp,
    cluster: readonly StoredPlace[],
    { passages, distance }: Reach,
  ): Program<readonly (readonly PassageRow[])[] | undefined> {
    const range = { from: (cluster[0]?.place ?? 0) - distance, through: (cluster.at(-1)?.place ?? 0) + distance }
    const limit = (passages * 2 + 1) * (cluster.length + 1)
    const [first, last] = [chunkOf(range.from), chunkOf(range.through)]
    const middle = yield* this.#rows(stamp, chunkOf(cluster[0]?.place ?? 0))
    if (middle === undefined) return undefined
    // Of long messages the nearest passages are enough, and they may be in here.
    if (middle.length <= ROWS_OF_SHORT_MESSAGES) yield* this.#readAll(stamp, first, last)
    const rows: PassageRow[] = []
    for (let chunk = first; chunk <= last; chunk++) {
      const some = yield* this.#rows(stamp, chunk)
      if (some === undefined) return undefined
      for (const row of some) if (row.place >= range.from && row.place <= range.through) rows.push(row)
      if (rows.length >= limit) return yield* this.#aroundEach(stamp, cluster, passages)
    }
    return [rows]
  }

  *#aroundEach(
    stamp: Stamp,
    cluster: readonly StoredPlace[],
    passages: number,
  ): Program<readonly (readonly PassageRow[])[] | undefined> {
    const stretches: PassageRow[][] = []
    let last = -1
    for (const { place } of cluster) {
      const near = yield* this.#near(stamp, place, passages)
      if (near === undefined) return undefined
      if (!near.some((row) => row.place <= last)) stretches.push([])
      for (const row of near) if (row.place > last) stretches.at(-1)?.push(row)
      last = Math.max(last, near.at(-1)?.place ?? -1)
    }
    return stretches
  }

  /** So many passages before a place, the place itself and as many after it. */
  *#near(stamp: Stamp, place: number, passages: number): Program<readonly PassageRow[] | undefined> {
    const middle = chunkOf(place)
    const rows = yield* this.#rows(stamp, middle)
    if (rows === undefined) return undefined
    const before = rows.filter((row) => row.place < place)
    const after = rows.filter((row) => row.place >= place)
    const end = chunkOf((stamp.seq + 1) * PASSAGES_PER_SEQ)
    for (let away = 1; before.length < passages && away <= middle; away++) {
      const more = away > CHUNKS_AWAY_MAX ? undefined : yield* this.#rows(stamp, middle - away)
      if (more === undefined) return undefined
      before.unshift(...more)
    }
    for (let away = 1; after.length <= passages && middle + away <= end; away++) {
      const more = away > CHUNKS_AWAY_MAX ? undefined : yield* this.#rows(stamp, middle + away)
      if (more === undefined) return undefined
      after.push(...more)
    }
    return [...before.slice(-passages), ...after.slice(0, passages + 1)]
  }

  #known(stamp: Stamp, chunk: number): Chunk | undefined {
    const key = keyOf(stamp, chunk)
    const known = this.#young.get(key) ?? this.#old.get(key)
    if (known === undefined || known.shelf !== stamp.shelf || known.disturbed !== stamp.disturbed) return undefined
    if (!this.#young.has(key)) this.#keep(key, known)
    return known
  }

  *#rows(stamp: Stamp, chunk: number): Program<readonly PassageRow[] | undefined> {
    const known = this.#known(stamp, chunk)
    if (known !== undefined) return known.rows
    const raw = yield* this.#read(stamp, chunk, chunk)
    const rows = raw.length > ROWS_PER_CHUNK_MAX ? undefined : raw.map(fromRaw)
    this.#keepIfWhole(stamp, chunk, rows)
    return rows
  }

  /** Reads those that are missing with one statement. */
  *#readAll(stamp: Stamp, first: number, last: number): Program<void> {
    let [from, through] = [first, Math.min(last, chunkOf(stamp.seq * PASSAGES_PER_SEQ))]
    while (from <= through && this.#known(stamp, from) !== undefined) from++
    while (from <= through && this.#known(stamp, through) !== undefined) through--
    if (from >= through) return
    const raw = yield* this.#read(stamp, from, through)
    if (raw.length > ROWS_PER_CHUNK_MAX) return
    const rows = Map.groupBy(raw.map(fromRaw), ({ place }) => chunkOf(place))
    for (let chunk = from; chunk <= through; chunk++) this.#keepIfWhole(stamp, chunk, rows.get(chunk) ?? [])
  }

  *#read({ thread }: Stamp, first: number, last: number): Program<readonly RawPassage[]> {
    const [from, through] = [first * PLACES_PER_CHUNK, (last + 1) * PLACES_PER_CHUNK - 1]
    return yield* lists<RawPassage>(sql.passagesFrom, thread, from, through, ROWS_PER_CHUNK_MAX + 1)
  }

  /** The last messages are still followed by others. */
  #keepIfWhole(stamp: Stamp, chunk: number, rows: Chunk['rows']): void {
    if ((chunk + 1) * SEQS_PER_CHUNK - 1 > stamp.seq) return
    this.#keep(keyOf(stamp, chunk), { shelf: stamp.shelf, disturbed: stamp.disturbed, rows })
  }

  #keep(key: string, chunk: Chunk): void {
    this.#young.set(key, chunk)
    this.#numbers += NUMBERS_PER_PASSAGE
    for (const { terms } of chunk.rows ?? []) this.#numbers += terms.length + NUMBERS_PER_PASSAGE
    if (this.#numbers < NUMBERS_MAX) return
    this.#old = this.#young
    this.#young = new Map()
    this.#numbers = 0
  }
}

function keyOf({ thread }: Stamp, chunk: number): string {
  return `${thread} ${chunk}`
}

function chunkOf(place: number): number {
  return Math.max(0, Math.floor(place / PLACES_PER_CHUNK))
}
