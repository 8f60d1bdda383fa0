import { MemoryError } from '../../domain/error.ts'
import type { Fold } from '../../domain/fold.ts'
import type { Message } from '../../domain/message.ts'
import type { Address } from '../../log/log.ts'
import { messageText } from '../../log/message-text.ts'
import { scan } from '../../log/scan.ts'
import { openView } from '../../log/view.ts'
import type { LogStore } from '../../ports/log-store.ts'
import { findFold } from '../window/find-fold.ts'

export interface ReopenOptions {
  /**
   * How many characters of the fold's text to pass over.
   *
   * @default 0
   */
  readonly offset?: number
  /**
   * How many characters to give at the most.
   *
   * @default 8,000
   */
  readonly limit?: number
}

/** A page of what a fold hides. */
export interface ReopenedPage {
  readonly fold: string
  /** The original messages that have text on this page, whole, as they are in the log. */
  readonly messages: readonly Message[]
  /** The page itself: the messages' text one after the other, cut by characters, so that no long line can flood a context. */
  readonly text: string
  /** Characters of the whole text. */
  readonly total: number
  /** The `offset` of the next page; `null` on the last. */
  readonly next: number | null
}

const CHARACTERS_PER_PAGE = 8_000

/**
 * The original messages behind a fold, by page.
 *
 * @throws {MemoryError} `context/not-found` if this session has no fold of that id, whoever else may have.
 */
export async function reopen(
  store: LogStore,
  address: Address,
  id: string,
  { offset = 0, limit = CHARACTERS_PER_PAGE }: ReopenOptions,
): Promise<ReopenedPage> {
  const view = await openView(store, address)
  const fold: Fold | undefined = view === undefined ? undefined : await findFold(store, view, id)
  if (view === undefined || fold === undefined) {
    throw new MemoryError(
      'context/not-found',
      `Cannot reopen ${JSON.stringify(id)}: session ${JSON.stringify(address.session)} has no such fold, expected an id from one of its contexts`,
      { ...address, fold: id },
    )
  }
  const messages: Message[] = []
  let end = offset + limit
  const pieces: string[] = []
  let at = 0
  for (const { from, through } of fold.sources) {
    for await (const message of scan(store, view, { from, through, newestFirst: false, withRemoved: true })) {
      const text = `${at === 0 ? '' : '\n'}[${message.seq}] ${message.role}: ${messageText(message)}`
      const start = Math.max(0, offset - at)
      // Half of a surrogate pair is no character: a page that would end in the middle of one takes all of it.
      if (at < end && end - at < text.length && splitsPair(text, end - at)) end += 1
      const stop = Math.min(text.length, end - at)
      if (start < stop) {
        pieces.push(text.slice(start, stop))
        messages.push(message)
      }
      at += text.length
    }
  }
  return { fold: id, messages, text: pieces.join(''), total: at, next: end < at ? end : null }
}

function splitsPair(text: string, at: number): boolean {
  return /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(at - 1, at + 1))
}
