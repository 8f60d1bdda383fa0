import { PostingList } from './posting-list.ts'
import { POSTINGS_PER_ROW, type PostingRow, RowPacker, blocksOf, listOf, blockSize } from './posting-rows.ts'
import { type RawPostingRow, fromRow, rowStep } from './postings.ts'
import { type Program, type ProgramStep, change, listsEach, together } from './program.ts'
import { segmentStatements as sql } from './segment-statements.ts'

interface Gone {
  highest: number
  lowest: number
  readonly places: Set<string>
}

/** A row in which some of them may be. */
interface Touched {
  readonly segment: number
  readonly row: PostingRow
}

/** Postings of passages that leave the index. */
export class GonePostings {
  readonly #terms = new Map<number, Gone>()

  add(term: number, impact: number, { thread, place }: { readonly thread: number; readonly place: number }): void {
    const gone = this.#terms.get(term) ?? { highest: impact, lowest: impact, places: new Set() }
    gone.highest = Math.max(gone.highest, impact)
    gone.lowest = Math.min(gone.lowest, impact)
    gone.places.add(`${thread} ${place}`)
    this.#terms.set(term, gone)
  }

  /** In how many of the passages each term occurs. */
  get counts(): readonly (readonly [term: number, count: number])[] {
    return [...this.#terms].map(([term, { places }]) => [term, places.size])
  }

  /** Only the rows in which one was found are written again. */
  *remove(shelf: number): Program<void> {
    const found = yield* listsEach<readonly [...row: RawPostingRow, segment: number]>(
      sql.rowsBetween,
      [...this.#terms].map(([term, { highest, lowest }]) => [term, shelf, lowest, highest]),
    )
    const rows = new Map<string, Touched>()
    for (const [term, part, highest, lowest, hits, segment] of found.flat())
      rows.set(`${segment} ${term} ${part}`, { segment, row: { term, part, highest, lowest, hits } })
    const counts = new Map<number, number>()
    const removals: ProgramStep[] = []
    const additions: ProgramStep[] = []
    const spread = new Map<string, Touched>()
    for (const { segment, row } of rows.values()) {
      const { left, gone } = this.#without(row)
      if (gone === 0) continue
      if (isOneOfSeveral(row)) {
        spread.set(`${segment} ${row.term}`, { segment, row })
        continue
      }
      counts.set(segment, (counts.get(segment) ?? 0) + gone)
      removals.push(change(sql.removeRow, segment, row.term, row.part))
      additions.push(...left.map((one) => rowStep(segment, one)))
    }
    yield* together([...removals, ...additions])
    yield* this.#removeSpread([...spread.values()], counts)
    yield* together([...counts].map(([segment, gone]) => change(sql.countSegment, -gone, segment)))
  }

  /** The rows of a term that has several: what follows moves up, so that each row has better ones than the next. */
  *#removeSpread(touched: readonly Touched[], counts: Map<number, number>): Program<void> {
    const found = yield* listsEach<RawPostingRow>(
      sql.rowsOfTerm,
      touched.map(({ segment, row }) => [segment, row.term]),
    )
    const additions: ProgramStep[] = []
    for (const [index, { segment, row }] of touched.entries()) {
      const all = listOf((found[index] ?? []).map(fromRow), row.term)
      const left = this.#left(row.term, all)
      counts.set(segment, (counts.get(segment) ?? 0) + all.size - left.size)
      const packer = new RowPacker()
      packer.add(row.term, left)
      additions.push(...packer.end().map((one) => rowStep(segment, one)))
    }
    yield* together([...touched.map(({ segment, row }) => change(sql.removeTerm, segment, row.term)), ...additions])
  }

  #without(row: PostingRow): { readonly left: readonly PostingRow[]; readonly gone: number } {
    const packer = new RowPacker()
    let gone = 0
    for (const block of blocksOf(row)) {
      const all = new PostingList()
      if (this.#terms.has(block.term)) all.addPacked(block.bytes)
      const left = this.#left(block.term, all)
      gone += all.size - left.size
      if (left.size === all.size) packer.addBlock(block)
      else packer.add(block.term, left)
    }
    return { left: packer.end(), gone }
  }

  #left(term: number, all: PostingList): PostingList {
    const places = this.#terms.get(term)?.places
    const left = new PostingList()
    for (const [index, impact] of all.impacts.entries()) {
      const [thread = 0, place = 0] = [all.threads[index], all.places[index]]
      if (places?.has(`${thread} ${place}`) !== true) left.add(impact, thread, place)
    }
    return left
  }
}

/** Whether its term may have further rows: then this one is full. */
function isOneOfSeveral(row: PostingRow): boolean {
  const [first, second] = blocksOf(row)
  return row.part > 0 || (first !== undefined && second === undefined && blockSize(first) >= POSTINGS_PER_ROW)
}
