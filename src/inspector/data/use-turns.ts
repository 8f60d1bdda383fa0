import { useEffect, useState } from 'preact/hooks'
import type { RecordedContext } from '../../api/kept-contexts.ts'
import { endpoints, queryText } from './endpoints.ts'
import { edition, request } from './request.ts'

const PAGE = 1_000
/** Since the last look there are few. */
const NEW_PAGE = 50
/** So many requests are enough for anybody to look through; older ones stay on the server. */
const TURNS_MAX = 10_000
const AGAIN_MS = 5_000

/** The requests of a session that were recorded, oldest first; `undefined` until they were read. */
export function useTurns(scope: string, session: string): readonly RecordedContext[] | undefined {
  const [turns, setTurns] = useState<readonly RecordedContext[] | undefined>()
  const round = edition.value
  useEffect(() => {
    const ended = new AbortController()
    let known: readonly RecordedContext[] = []
    const page = async (limit: number, before?: string): Promise<readonly RecordedContext[]> =>
      (
        await request<{ readonly contexts: readonly RecordedContext[] }>(
          `${endpoints.session(scope, session, 'contexts')}${queryText({ limit, before })}`,
          { signal: ended.signal },
        )
      ).contexts
    /** New ones only: those that are known do not change. */
    const read = async (): Promise<void> => {
      const fresh: RecordedContext[] = []
      for (let before: string | undefined; fresh.length < TURNS_MAX;) {
        const limit = known.length === 0 ? PAGE : NEW_PAGE
        const found = await page(limit, before)
        const unknown = found.findIndex(({ id }) => id === known.at(-1)?.id)
        fresh.push(...(unknown < 0 ? found : found.slice(0, unknown)))
        before = found.at(-1)?.id
        if (unknown >= 0 || before === undefined || found.length < limit) break
      }
      if (ended.signal.aborted || (fresh.length === 0 && known.length > 0)) return
      known = [...known, ...fresh.toReversed()]
      setTurns(known)
    }
    const look = (): void => void read().catch(() => setTurns((before) => before ?? []))
    look()
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') look()
    }, AGAIN_MS)
    return () => {
      ended.abort()
      clearInterval(timer)
    }
  }, [scope, session, round])
  return turns
}
