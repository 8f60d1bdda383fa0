import { isSealed } from '../domain/sealed.ts'
import type { AmendmentQuery, AmendmentRow, LogChange, LogStore, MessageRow, StoreView } from '../ports/log-store.ts'
import { contentKeyNeeded } from './missing-key.ts'

const NO_BYTES: Uint8Array = new Uint8Array(0)

/** One view of a log where there is no key: plain content is read and written, and what is encrypted stays as the view says. */
export function logWithoutKeys<View extends StoreView>(log: LogStore<'stored'>, view: View): LogStore<View> {
  const shown = shownWithoutKey[view]
  return {
    ...log,
    view,
    change: view === 'opened' ? (change) => log.change(refusingSealed(change)) : log.change,
    messages: async (query) => shown(await log.messages(query)),
    message: async (session, id) => {
      const row = await log.message(session, id)
      return row === undefined ? undefined : shown([row])[0]
    },
    amendments: async (query) => shown(await log.amendments(query), query),
  }
}

type Shown = <Row extends MessageRow | AmendmentRow>(rows: readonly Row[], query?: AmendmentQuery) => readonly Row[]

/** What becomes of encrypted rows where there is no key. */
const shownWithoutKey: Readonly<Record<StoreView, Shown>> = {
  stored: (rows) => rows,
  verifiable: (rows) => rows,
  opened: (rows) => {
    if (rows.some(({ body }) => isSealed(body))) throw contentKeyNeeded()
    return rows
  },
  searchable: (rows, query) => {
    if (!rows.some(({ body }) => isSealed(body))) return rows
    // A window is made of compactions that say something; whoever pages through changes expects every one.
    return query?.of === 'window' ? rows.filter(({ body }) => !isSealed(body)) : rows.map(asForgotten)
  },
}

/** A message whose revision is encrypted is not shown as it was before. */
function asForgotten<Row extends MessageRow | AmendmentRow>(row: Row): Row {
  if (!isSealed(row.body)) return row
  const emptied = { ...row, body: '', salt: NO_BYTES }
  return 'kind' in row ? { ...emptied, kind: row.kind === 'revise' ? 'remove' : 'forget' } : emptied
}

/** Without a key, nothing is written beside what is encrypted. */
function refusingSealed<Answer>(change: LogChange<Answer>): LogChange<Answer> {
  return {
    ...change,
    decide: (findings) => {
      for (const head of [findings.session, findings.parent])
        if (head !== undefined && isSealed(head.description)) throw contentKeyNeeded(head.name)
      return change.decide(findings)
    },
  }
}
