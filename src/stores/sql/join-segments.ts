import { type Program, type ProgramStep, all, change, listsEach, one, together } from './program.ts'
import { PostingList } from './posting-list.ts'
import { type TermBlock, type PostingRow, RowPacker, blocksOf, blockSize } from './posting-rows.ts'
import { type RawPostingRow, fromRow, rowStep } from './postings.ts'
import { segmentStatements as sql } from './segment-statements.ts'

export interface IndexSegment {
  readonly key: number
  readonly postings: number
  /** The segment into which it is being moved; 0 if none. */
  readonly target: number
}

/** So many segments of about the same size become one. */
export const JOINED = 8
/** Larger ones stay as they are: the list of a common term has to be written in one step. */
const POSTINGS_FULL = 2 ** 18
/** Rows that are read of each segment in a step. */
const ROWS_PER_STEP = 16

/** What to join next, and what became empty. */
interface Plan {
  readonly empty: readonly IndexSegment[]
  readonly from: readonly IndexSegment[]
  /** 0 if it has to be made first. */
  readonly target: number
}

/** The segments of a shelf that are to be joined; `undefined` if there is nothing to do. */
export function planOf(segments: readonly IndexSegment[]): Plan | undefined {
  const targets = new Set(segments.map(({ target }) => target))
  const empty = segments.filter(({ key, postings }) => postings === 0 && !targets.has(key))
  const begun = Map.groupBy(
    segments.filter(({ postings, target }) => postings > 0 && target > 0),
    ({ target }) => target,
  )
  const free = segments.filter(
    ({ key, postings, target }) => postings > 0 && postings < POSTINGS_FULL && target === 0 && !targets.has(key),
  )
  const ready = [...Map.groupBy(free, ({ postings }) => Math.floor(Math.log2(postings) / Math.log2(JOINED))).values()]
    .filter(({ length }) => length >= JOINED)
    .map((some) => ({ from: some.slice(0, JOINED), target: 0 }))
  const plans = [...[...begun].map(([target, from]) => ({ from, target })), ...ready]
  const size = ({ from }: { readonly from: readonly IndexSegment[] }): number =>
    from.reduce((sum, { postings }) => sum + postings, 0)
  const [least] = plans.toSorted((a, b) => size(a) - size(b))
  if (least === undefined) return empty.length === 0 ? undefined : { empty, from: [], target: 0 }
  return { empty, ...least }
}

/**
 * Moves some postings from small segments into a larger one. Every posting is in one segment at any time, so that a step may be the
 * last for long: whoever comes next goes on. Returns whether there is more to do.
 */
export function* joinSegments(shelf: number): Program<boolean> {
  const plan = planOf(yield* all<IndexSegment>(sql.segments, shelf))
  if (plan === undefined) return false
  yield* together(plan.empty.map(({ key }) => change(sql.removeSegment, key)))
  if (plan.from.length === 0) return false
  let { target } = plan
  if (target === 0) {
    target = (yield* one<{ readonly key: number }>(sql.addSegment, shelf, 0))?.key ?? 0
    yield* together(plan.from.map(({ key }) => change(sql.aimSegment, target, key)))
  }
  yield* moveSome(plan.from, target)
  return true
}

function* moveSome(from: readonly IndexSegment[], target: number): Program<void> {
  const { pages, before } = yield* nextRows(from)
  const byTerm = new Map<number, TermBlock[]>()
  const moved = from.map(() => 0)
  const cut: ProgramStep[] = []
  for (const [nth, page] of pages.entries())
    for (const row of page) {
      if (row.term >= before) break
      const blocks = blocksOf(row)
      const rest = new RowPacker()
      for (const block of blocks) {
        if (block.term >= before) rest.addBlock(block)
        else {
          const some = byTerm.get(block.term)
          if (some === undefined) byTerm.set(block.term, [block])
          else some.push(block)
          moved[nth] = (moved[nth] ?? 0) + blockSize(block)
        }
      }
      // The end of a row that is only moved in part stays.
      cut.push(...rest.end().map((left) => rowStep(from[nth]?.key ?? 0, left)))
    }
  const packer = new RowPacker()
  for (const [term, blocks] of [...byTerm].toSorted(([a], [b]) => a - b)) {
    const [first] = blocks
    if (blocks.length === 1 && first !== undefined) packer.addBlock(first)
    else packer.add(term, unpacked(blocks))
  }
  const sum = moved.reduce((total, count) => total + count, 0)
  yield* together([
    ...packer.end().map((row) => rowStep(target, row)),
    ...from.map(({ key }) => change(sql.removeBelow, key, before)),
    ...cut,
    ...from.map(({ key }, nth) => change(sql.countSegment, -(moved[nth] ?? 0), key)),
    change(sql.countSegment, sum, target),
  ])
}

function unpacked(blocks: readonly TermBlock[]): PostingList {
  const list = new PostingList()
  for (const { bytes } of blocks) list.addPacked(bytes)
  return list
}

/** The first rows of each segment, and the first term of which some may be missing. */
function* nextRows(
  from: readonly IndexSegment[],
): Program<{ readonly pages: readonly (readonly PostingRow[])[]; readonly before: number }> {
  const found = yield* listsEach<RawPostingRow>(
    sql.rowsFrom,
    from.map(({ key }) => [key, ROWS_PER_STEP]),
  )
  const pages: (readonly PostingRow[])[] = found.map((rows) => rows.map(fromRow))
  let before = Number.MAX_SAFE_INTEGER
  for (const [nth, page] of pages.entries()) {
    const [first, last] = [page[0]?.term ?? 0, page.at(-1)?.term ?? 0]
    if (page.length < ROWS_PER_STEP) continue
    // A term with so many rows is read as a whole.
    if (first === last) {
      const whole = yield* listsEach<RawPostingRow>(sql.rowsOfTerm, [[from[nth]?.key, first]])
      pages[nth] = whole.flat().map(fromRow)
    }
    before = Math.min(before, first === last ? last + 1 : last)
  }
  return { pages, before }
}
