import { MemoryError } from '../domain/error.ts'
import { changesOf } from '../log/view.ts'
import type { LogStore, SessionHead } from '../ports/log-store.ts'
import { type LogEntry, beginningOf, stepOf } from './log-step.ts'

const ROWS_PER_PAGE = 256

/**
 * A session's own rows in the order of their versions, up to the one it had when it was read; what its ancestors hold is
 * theirs. Every row is checked: an archive of damage would only be refused later, when the original is gone.
 */
export async function* logEntries(store: LogStore, session: SessionHead): AsyncGenerator<LogEntry> {
  const { scope, key, lastSeq, version } = session
  let end = beginningOf(session)
  const checked = (entry: LogEntry): LogEntry => {
    const next = stepOf(end, entry)
    if (typeof next === 'string') throw corrupt(session, next)
    end = next
    return entry
  }
  const amendments = changesOf(store, session, version)
  let amendment = await amendments.next()
  for (let from = end.seq + 1; from <= lastSeq;) {
    const rows = await store.messages({
      scope,
      key,
      from,
      through: lastSeq,
      limit: ROWS_PER_PAGE,
      newestFirst: false,
      systemOnly: false,
    })
    for (const row of rows) {
      for (; amendment.done !== true && amendment.value.version < row.version; amendment = await amendments.next())
        yield checked({ kind: 'amendment', row: amendment.value })
      yield checked({ kind: 'message', row })
    }
    from = rows.length === 0 ? lastSeq + 1 : (rows.at(-1)?.seq ?? lastSeq) + 1
  }
  for (; amendment.done !== true; amendment = await amendments.next())
    yield checked({ kind: 'amendment', row: amendment.value })
  if (end.version !== version || end.seq !== lastSeq) throw corrupt(session, `its rows end at version ${end.version}`)
}

function corrupt({ scope, name }: SessionHead, what: string): MemoryError {
  return new MemoryError(
    'store/corrupt',
    `Cannot export session ${JSON.stringify(name)} of ${JSON.stringify(scope)}: ${what}, run verify() and restore from a backup`,
    { scope, session: name },
  )
}
