import { defined } from '../domain/defined.ts'
import type { HistoryOptions } from '../api/messages.ts'
import type { Message } from '../domain/message.ts'
import type { LogStore } from '../ports/log-store.ts'
import { matcher } from './filter.ts'
import type { Address } from './log.ts'
import { type ScanOptions, scan } from './scan.ts'
import { openView } from './view.ts'

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
    ...defined({ role: options.role }),
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
