import type { Message } from '../domain/message.ts'
import type { Moment } from '../domain/moment.ts'
import type { LogStore } from '../ports/log-store.ts'
import { type Filter, matcher } from './filter.ts'
import type { Address } from './log.ts'
import { type ScanOptions, scan } from './scan.ts'
import { openView } from './view.ts'

export interface HistoryOptions extends Filter {
  /**
   * At most this many: the oldest, or with `before` alone the newest before it.
   *
   * @default all
   */
  readonly limit?: number
  /** Only messages with a smaller sequence number: the first of this page is the `before` of the page before. */
  readonly before?: number
  /** Only messages with a greater sequence number: the last of this page is the `after` of the next. */
  readonly after?: number
  /** The log as it was then: a time, or a version. */
  readonly asOf?: Moment
  /** It may be behind: then it can come from a replica, where the memory has one. @default false */
  readonly stale?: boolean
}

/** Everything ever appended, oldest first; what was removed from the window is marked so. */
export async function history(store: LogStore, address: Address, options: HistoryOptions): Promise<readonly Message[]> {
  return select(store, address, {
    ...options,
    newest: options.before !== undefined && options.after === undefined,
    withRemoved: true,
  })
}

/** The live messages: what `history` has, without what was removed or cleared. */
export async function liveMessages(
  store: LogStore,
  address: Address,
  options: HistoryOptions & { readonly newest: boolean },
): Promise<readonly Message[]> {
  return select(store, address, { ...options, withRemoved: false })
}

async function select(
  store: LogStore,
  address: Address,
  options: HistoryOptions & { readonly newest: boolean; readonly withRemoved: boolean },
): Promise<readonly Message[]> {
  const { limit = Number.POSITIVE_INFINITY, newest, withRemoved } = options
  const view = limit <= 0 ? undefined : await openView(store, address, options.asOf)
  if (view === undefined) return []
  const range: ScanOptions = {
    from: (options.after ?? 0) + 1,
    through: Math.min(view.lastSeq, (options.before ?? Number.MAX_SAFE_INTEGER) - 1),
    newestFirst: newest,
    withRemoved,
    ...(Number.isFinite(limit) ? { hint: limit } : {}),
    ...(options.role === undefined ? {} : { role: options.role }),
  }
  const matches = matcher(options)
  const found: Message[] = []
  for await (const message of scan(store, view, range)) {
    if (!matches(message)) continue
    found.push(message)
    if (found.length >= limit) break
  }
  return newest ? found.toReversed() : found
}
