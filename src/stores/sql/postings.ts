import type { Hit } from '../../ports/recall-store.ts'
import type { PostingList } from './posting-list.ts'
import { POSTINGS_PER_ROW, type PostingRow, RowPacker, listOf } from './posting-rows.ts'
import { type Program, type ProgramStep, change, listsEach, one, together } from './program.ts'
import { segmentStatements as sql } from './segment-statements.ts'

/** The columns of a row in the order of the statements. */
export type RawPostingRow = readonly [term: number, part: number, highest: number, lowest: number, hits: Uint8Array]

export function fromRow([term, part, highest, lowest, hits]: RawPostingRow): PostingRow {
  return { term, part, highest, lowest, hits }
}

export function rowStep(segment: number, { term, part, highest, lowest, hits }: PostingRow): ProgramStep {
  return change(sql.addRow, segment, term, part, highest, lowest, hits)
}

/**
 * New postings are a segment of their own: to add them to those of the same terms would change a page for each. Returns about how many
 * segments there are then.
 */
export function* addPostings(
  shelf: number,
  lists: readonly { readonly term: number; readonly list: PostingList }[],
): Program<number> {
  if (lists.length === 0) return 0
  const packer = new RowPacker()
  let size = 0
  for (const { term, list } of lists.toSorted((a, b) => a.term - b.term)) {
    size += list.size
    packer.add(term, list)
  }
  const added = yield* one<{ readonly key: number; readonly others: number }>(sql.addSegment, shelf, size)
  yield* together(packer.end().map((row) => rowStep(added?.key ?? 0, row)))
  return added?.others ?? 0
}

/** The best hits of each term. */
export function* readHits(terms: readonly number[], limit: number): Program<readonly Hit[]> {
  const found = yield* listsEach<readonly [term: number, hits: Uint8Array]>(
    sql.hits,
    terms.map((term) => [term, Math.ceil(limit / POSTINGS_PER_ROW), term]),
  )
  return terms.flatMap((term, index) => {
    const rows = found[index]?.map(([first, hits]) => ({ term: first, hits })) ?? []
    const list = listOf(rows, term)
    return list.best(limit).map((nth) => ({
      term,
      impact: list.impacts[nth] ?? 0,
      thread: list.threads[nth] ?? 0,
      place: list.places[nth] ?? 0,
    }))
  })
}
