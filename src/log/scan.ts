import { setImmediate } from 'node:timers/promises'
import type { Message, Role } from '../domain/message.ts'
import type { AmendmentRow, LogStore, MessageRow } from '../ports/log-store.ts'
import { inheritedAmendments } from '../domain/inherited-amendments.ts'
import { isForgotten, isSound } from './forgotten.ts'
import { messageFromRow } from './message-from-row.ts'
import { Turns } from './turns.ts'
import { type View, amendmentsOf, missingRow } from './view.ts'
import { isStreamed, withPieces } from './with-pieces.ts'

/** Small enough to leave the event loop alone, large enough that a long scan is not made of round trips. */
const ROWS_PER_PAGE = 256
const ROWS_IN_FIRST_PAGE = 64
const CHARACTERS_PER_PAGE = 1_000_000
/** Most sessions have none. What was cleared is not live, known or not: to know it only saves reading it. */
const CLEARS_MAX = 16

export interface ScanOptions {
  readonly from: number
  readonly through: number
  readonly newestFirst: boolean
  /** How many the caller will take: the first page is not larger. */
  readonly hint?: number
  /** The only role wanted. Others may come too, except for `system`, which has an index of its own. */
  readonly role?: Role
  readonly withRemoved: boolean
}

/** Reads a view's messages one after the other, in pages, letting other work run in between. */
export async function* scan(store: LogStore, view: View, options: ScanOptions): AsyncGenerator<Message> {
  const { from, through, newestFirst, withRemoved, role } = options
  // Backwards, the rows tell when nothing more is live. Forwards it has to be known before; not worth asking for one page.
  if (newestFirst || withRemoved || through - from < ROWS_PER_PAGE) return yield* pages(store, view, options)
  const cleared = await lastClears(store, view)
  const kept = { from: Math.max(from, cleared.all + 1), through: Math.min(through, cleared.butSystem) }
  if (role === undefined || role === 'system') yield* pages(store, view, { ...options, ...kept, role: 'system' })
  yield* pages(store, view, { ...options, from: Math.max(kept.from, cleared.butSystem + 1) })
}

/** Up to where everything, and everything but system messages, was cleared. Of old clears of many it may know too little. */
async function lastClears(store: LogStore, { segments }: View): Promise<Readonly<Record<'all' | 'butSystem', number>>> {
  const found = await Promise.all(
    segments.map(({ scope, key, throughVersion }) =>
      store.amendments({ of: 'clears', scope, key, throughVersion, limit: CLEARS_MAX }),
    ),
  )
  const rows = found.flatMap((some, index) =>
    index === segments.length - 1 ? some : inheritedAmendments(some, segments[index]?.through ?? 0),
  )
  const last = (kind: AmendmentRow['kind']): number =>
    Math.max(0, ...rows.filter((row) => row.kind === kind && isSound(row)).map(({ seq }) => seq))
  const all = last('clear')
  return { all, butSystem: Math.max(all, last('clear-keeping-system')) }
}

async function* pages(store: LogStore, view: View, options: ScanOptions): AsyncGenerator<Message> {
  const segments = options.newestFirst ? view.segments.toReversed() : view.segments
  let size = Math.min(ROWS_PER_PAGE, options.hint ?? ROWS_IN_FIRST_PAGE)
  const turns = new Turns()
  for (const segment of segments) {
    let from = Math.max(options.from, segment.from)
    let through = Math.min(options.through, segment.through)
    let systemOnly = options.role === 'system'
    while (from <= through) {
      // Where one page holds all of a range, the changes of its messages can be asked for with them.
      const isOnePage = !systemOnly && through - from < size
      const early = isOnePage ? amendmentsOf(store, view.segments, from, through) : undefined
      early?.catch(() => undefined) // heard below, once the rows are known to be whole
      const rows = await store.messages({
        scope: segment.scope,
        key: segment.key,
        from,
        through,
        limit: size,
        newestFirst: options.newestFirst,
        systemOnly,
      })
      if (!systemOnly) checkGapless(rows, { from, through, size, newestFirst: options.newestFirst })
      const first = rows[0]
      const last = rows.at(-1)
      if (first === undefined || last === undefined) break
      const amendments = await (early ??
        amendmentsOf(store, view.segments, Math.min(first.seq, last.seq), Math.max(first.seq, last.seq)))
      for (const row of rows) {
        if (turns.isOver) await turns.take()
        const message = liveMessage(row, amendments, options.withRemoved)
        if (message !== undefined) yield isStreamed(message) ? await withPieces(store, view, message) : message
      }
      if (rows.length < size) break
      if (options.newestFirst) through = last.seq - 1
      else from = last.seq + 1
      // Below a clear nothing is live, or only system messages: do not read a million rows to learn that.
      if (options.newestFirst && !options.withRemoved) {
        const cleared = clearedBelow(amendments, through)
        if (cleared === 'all' || (cleared === 'but-system' && (options.role ?? 'system') !== 'system')) return
        if (cleared === 'but-system') systemOnly = true
      }
      size = pageSize(rows)
      await setImmediate()
    }
  }
}

interface Expected {
  readonly from: number
  readonly through: number
  readonly size: number
  readonly newestFirst: boolean
}

/** A history with a hole must not pass for whole. */
function checkGapless(rows: readonly MessageRow[], { from, through, size, newestFirst }: Expected): void {
  const wanted = Math.min(size, through - from + 1)
  const at = (index: number): number => (newestFirst ? through - index : from + index)
  const hole = Array.from({ length: wanted }, (_, index) => at(index)).find((seq, index) => rows[index]?.seq !== seq)
  if (hole === undefined) return
  throw missingRow(hole)
}

/** As many rows as make a page of bearable size, if the next are like these. */
function pageSize(rows: readonly MessageRow[]): number {
  const characters = rows.reduce((sum, row) => sum + row.body.length, 0)
  return Math.max(1, Math.min(ROWS_PER_PAGE, Math.floor((CHARACTERS_PER_PAGE * rows.length) / (characters + 1))))
}

function liveMessage(row: MessageRow, amendments: readonly AmendmentRow[], withRemoved: boolean): Message | undefined {
  if (isForgotten(row)) return undefined
  const message = messageFromRow(row, amendments)
  return withRemoved || message.removed !== true ? message : undefined
}

function clearedBelow(amendments: readonly AmendmentRow[], seq: number): 'all' | 'but-system' | undefined {
  if (amendments.some((row) => row.kind === 'clear' && row.seq >= seq)) return 'all'
  return amendments.some((row) => row.kind === 'clear-keeping-system' && row.seq >= seq) ? 'but-system' : undefined
}
