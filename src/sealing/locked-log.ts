import { isSealed } from '../domain/sealed.ts'
import type { AmendmentRow, LogStore, MessageRow, SessionHead } from '../ports/log-store.ts'
import { contentKeyNeeded } from './missing-key.ts'

/** A log without the key to what may be encrypted in it: the rest is read and written as ever, what is sealed is refused. */
export function lockedLog(log: LogStore): LogStore {
  const open = <Row extends MessageRow | AmendmentRow>(rows: readonly Row[]): readonly Row[] => {
    if (rows.some(({ body }) => isSealed(body))) throw contentKeyNeeded()
    return rows
  }
  return {
    ...log,
    change: (change) =>
      log.change({
        ...change,
        decide: (facts) => {
          for (const head of [facts.session, facts.parent]) checkOpen(head)
          return change.decide(facts)
        },
      }),
    messages: async (query) => open(await log.messages(query)),
    message: async (session, id) => {
      const row = await log.message(session, id)
      return row === undefined ? undefined : open([row])[0]
    },
    amendments: async (query) => open(await log.amendments(query)),
  }
}

function checkOpen(head: SessionHead | undefined): void {
  if (head !== undefined && isSealed(head.description)) throw contentKeyNeeded(head.name)
}
