import { isSealed } from '../domain/sealed.ts'
import type { AmendmentRow, LogStore, MessageRow } from '../ports/log-store.ts'

const NOTHING: Uint8Array = new Uint8Array(0)

/**
 * The log as those see it who keep copies of what is said: the word index, vectors, learning. What is encrypted looks forgotten to
 * them, so that nothing of it gets into their tables, which are not.
 */
export function blindLog(log: LogStore): LogStore {
  return {
    ...log,
    messages: async (query) => blindMessages(await log.messages(query)),
    message: async (session, id) => {
      const row = await log.message(session, id)
      return row === undefined ? undefined : blindMessages([row])[0]
    },
    amendments: async (query) => {
      const rows = await log.amendments(query)
      if (!rows.some(({ body }) => isSealed(body))) return rows
      // Whoever reads the window expects compactions that say something; whoever pages through changes expects every one.
      return query.of === 'window' ? rows.filter(({ body }) => !isSealed(body)) : rows.map(blindAmendment)
    },
  }
}

function blindMessages(rows: readonly MessageRow[]): readonly MessageRow[] {
  if (!rows.some(({ body }) => isSealed(body))) return rows
  return rows.map((row) => (isSealed(row.body) ? { ...row, body: '', salt: NOTHING } : row))
}

/** A message whose new words are sealed is not shown in its old ones. */
function blindAmendment(row: AmendmentRow): AmendmentRow {
  if (!isSealed(row.body)) return row
  return { ...row, kind: row.kind === 'revise' ? 'remove' : 'forget', body: '', salt: NOTHING }
}
