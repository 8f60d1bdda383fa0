import { setImmediate } from 'node:timers/promises'
import type { LogStore, MessageRow } from '../../ports/log-store.ts'
import { one } from '../sql/program.ts'
import type { SqliteDatabase } from './database.ts'

/** Read at once, in some milliseconds. */
const BYTES_AT_ONCE = 4 * 1024 * 1024
const BYTES = 'SELECT sum(octet_length(body)) AS "bytes" FROM messages WHERE session = ? AND seq BETWEEN ? AND ?'

/**
 * Reads a page of messages. SQLite reads a whole page at once, and fifty messages of 4 MiB take a second: a page with long messages is
 * read in steps, and others run in between. Rows of the log do not change, so the steps agree.
 */
export function messagesInSteps(database: SqliteDatabase, read: LogStore['messages']): LogStore['messages'] {
  return async (query) => {
    const { scope, key, from, through, limit, newestFirst, systemOnly } = query
    const rows = Math.min(limit, through - from + 1)
    if (systemOnly || rows <= 1) return read(query)
    const [low, high] = newestFirst ? [through - rows + 1, through] : [from, from + rows - 1]
    const found = await database.read('measure messages', [scope], () =>
      one<{ readonly bytes: number | null }>(BYTES, key, low, high),
    )
    const bytes = found?.bytes ?? 0
    if (bytes <= BYTES_AT_ONCE) return read(query)
    const step = Math.max(1, Math.floor((BYTES_AT_ONCE * rows) / bytes))
    const page: MessageRow[] = []
    for (let done = 0; done < rows; done += step) {
      if (done > 0) await setImmediate()
      const bounds = newestFirst ? { from: low, through: high - done } : { from: low + done, through: high }
      page.push(...(await read({ ...query, ...bounds, limit: Math.min(step, rows - done) })))
    }
    return page
  }
}
