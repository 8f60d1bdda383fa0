import type { ReopenedPage, TouchedMessage } from '../../api/contexts.ts'
import type { ReopenOptions } from '../../api/contexts.ts'
import { MemoryError } from '../../domain/error.ts'
import type { Fold, SeqRange } from '../../domain/fold.ts'
import type { Message } from '../../domain/message.ts'
import type { Address } from '../../log/log.ts'
import { messageText } from '../../log/message-text.ts'
import { scan } from '../../log/scan.ts'
import { type View, openView } from '../../log/view.ts'
import type { LogStore } from '../../ports/log-store.ts'
import { CHARACTERS_PER_MARK, type Outline, type Outlines } from './outlines.ts'
import { splitsPair } from '../summary/excerpt.ts'
import { referencedRanges } from '../in-part/message-pointer.ts'
import { findFold } from '../window/find-fold.ts'

const CHARACTERS_PER_PAGE = 8_000

/**
 * The original messages behind a fold, by page.
 *
 * @throws {MemoryError} `context/not-found` if this session has no fold with this id, whoever else may have.
 */
export async function reopen(
  store: LogStore,
  address: Address,
  id: string,
  { offset = 0, limit = CHARACTERS_PER_PAGE, outlines }: ReopenOptions & { readonly outlines: Outlines },
): Promise<ReopenedPage> {
  const view = await openView(store, address)
  const fold = view === undefined ? undefined : await opened(store, view, id)
  if (view === undefined || fold === undefined) {
    throw new MemoryError(
      'context/not-found',
      `Cannot reopen ${JSON.stringify(id)}: session ${JSON.stringify(address.session)} has no such fold, expected an id from one of its contexts`,
      { ...address, fold: id },
    )
  }
  const outline = await outlines.of(JSON.stringify([view.session.key, view.version, id]), () =>
    outlineOf(shownMessages(store, view, fold.sources)),
  )
  const messages: Message[] = []
  const touches: TouchedMessage[] = []
  const pieces: string[] = []
  let end = offset + limit
  const start = startOf(outline, offset)
  let { at } = start
  for await (const { message, text } of shownMessages(store, view, from(fold.sources, start.seq))) {
    if (at >= end) break
    const told = `${at === 0 ? '' : '\n'}${text}`
    // Half of a surrogate pair is no character: a page that would end in the middle of one takes all of it.
    if (end - at < told.length && splitsPair(told, end - at)) end += 1
    const piece = told.slice(Math.max(0, offset - at), Math.min(told.length, end - at))
    if (piece !== '') {
      pieces.push(piece)
      touches.push(touched(message))
      if (at + told.length <= end && told.length <= Math.max(limit, CHARACTERS_PER_PAGE)) messages.push(message)
    }
    at += told.length
  }
  return {
    fold: id,
    messages,
    touches,
    text: pieces.join(''),
    total: outline.total,
    next: end < outline.total ? end : null,
  }
}

/** What an id stands for: a fold, or one message that a context showed in part or left out. */
async function opened(store: LogStore, view: View, id: string): Promise<Pick<Fold, 'sources'> | undefined> {
  const sources = referencedRanges(id)
  if (sources === undefined) return findFold(store, view, id)
  const isThere = (range: SeqRange): boolean => range.from <= range.through && range.through <= view.lastSeq
  return sources.every(isThere) ? { sources } : undefined
}

interface ShownMessage {
  readonly message: Message
  readonly text: string
}

async function* shownMessages(store: LogStore, view: View, sources: readonly SeqRange[]): AsyncGenerator<ShownMessage> {
  for (const { from: first, through } of sources)
    for await (const message of scan(store, view, { from: first, through, newestFirst: false, withRemoved: true }))
      yield { message, text: `[${message.seq}] ${message.role}: ${messageText(message)}` }
}

async function outlineOf(told: AsyncIterable<ShownMessage>): Promise<Outline> {
  const marks: Outline['marks'][number][] = []
  let total = 0
  for await (const { message, text } of told) {
    if (total >= marks.length * CHARACTERS_PER_MARK) marks.push({ at: total, seq: message.seq })
    total += text.length + (total === 0 ? 0 : 1)
  }
  return { marks, total }
}

function startOf({ marks }: Outline, offset: number): Outline['marks'][number] {
  return marks.findLast(({ at }) => at <= offset) ?? { at: 0, seq: 0 }
}

function from(sources: readonly SeqRange[], seq: number): readonly SeqRange[] {
  return sources
    .filter(({ through }) => through >= seq)
    .map((range) => ({ from: Math.max(range.from, seq), through: range.through }))
}

function touched({ id, seq, role, at, imported }: Message): TouchedMessage {
  return { id, seq, role, at, ...(imported === true && { imported }) }
}
