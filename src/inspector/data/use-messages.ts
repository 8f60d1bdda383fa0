import { useEffect, useRef, useState } from 'preact/hooks'
import type { Message } from '../../domain/message.ts'
import { endpoints, queryText } from './endpoints.ts'
import { useScopeEvents } from './scope-events.ts'
import { RequestFailure, connection, edition, request } from './request.ts'

const PAGE = 100
/** Pages that are kept at once. The one that was used least recently goes first. */
const PAGES_MAX = 60

/** The messages of a session, read page by page when they come into view, and new ones as they are appended. */
export interface Messages {
  /** The last position in the log; undefined until it was read. */
  readonly last: number | undefined
  /** It was forgotten while it was shown. */
  readonly gone: boolean
  readonly failure: RequestFailure | undefined
  /** `null` for a message that was forgotten, undefined for one that is not read yet. */
  at(seq: number): Message | null | undefined
  /** Reads what is needed to show these. */
  need(from: number, through: number): void
}

export function useMessages(scope: string, session: string): Messages {
  const end = useEnd()
  const [failure, setFailure] = useState<RequestFailure | undefined>()
  const [, setRound] = useState(0)
  const pages = useRef(new Map<number, readonly Message[] | 'reading'>())
  const round = edition.value
  const lost = connection.value.lost
  const path = (rest: string): string => endpoints.session(scope, session, rest)
  useEffect(() => {
    pages.current = new Map()
    end.reset()
  }, [scope, session])
  useEffect(() => {
    let ended = false
    setFailure(undefined)
    // What is shown stays until it was read again, so that a write does not move the page.
    for (const page of pages.current.keys()) void read(page)
    readLast().catch((error: unknown) => ended || (error instanceof RequestFailure && setFailure(error)))
    return () => {
      ended = true
    }
  }, [scope, session, round])
  useScopeEvents(scope, (event) => {
    if (event.type === 'start' || event.type === 'forgotten') void readLast().catch(() => undefined)
    else if (event.type === 'message' && event.session === session) {
      const { message } = event
      const page = pages.current.get(pageOf(message.seq))
      if (Array.isArray(page) && page.every(({ seq }) => seq !== message.seq))
        pages.current.set(pageOf(message.seq), [...page, message])
      end.grow(message.seq)
    } else if (event.type === 'change' && event.session === session)
      for (const page of pages.current.keys())
        if (event.change === 'clear' || event.change === 'undo' || page === pageOf(event.seq)) void read(page)
  })
  const readLast = async (): Promise<void> => {
    const query = queryText({ before: Number.MAX_SAFE_INTEGER, limit: 1 })
    const { messages } = await request<{ readonly messages: readonly Message[] }>(path(`messages${query}`))
    end.read(messages.at(-1)?.seq ?? 0)
  }
  const read = async (page: number): Promise<void> => {
    const mine = pages.current
    if (!mine.has(page)) mine.set(page, 'reading')
    try {
      const query = queryText({ after: page * PAGE, limit: PAGE })
      const { messages } = await request<{ readonly messages: readonly Message[] }>(path(`messages${query}`))
      mine.set(
        page,
        messages.filter(({ seq }) => pageOf(seq) === page),
      )
      const oldest = mine.size > PAGES_MAX ? mine.keys().next().value : undefined
      if (oldest !== undefined) mine.delete(oldest)
    } catch {
      // Offline is said above the page, which reads again when the server is back.
      if (mine.get(page) === 'reading') mine.delete(page)
    }
    setRound((before) => before + 1)
  }
  return {
    last: end.last,
    gone: end.gone,
    failure,
    at(seq) {
      const page = pages.current.get(pageOf(seq))
      return Array.isArray(page) ? (page.find((message) => message.seq === seq) ?? null) : undefined
    },
    need(from, through) {
      for (let page = pageOf(from); page <= pageOf(through); page += 1)
        if (!pages.current.has(page) && !lost) void read(page)
    },
  }
}

interface End {
  readonly last: number | undefined
  readonly gone: boolean
  reset(): void
  /** A message was appended. */
  grow(seq: number): void
  /** The last position was read; 0 where there is nothing. */
  read(newest: number): void
}

/** Where a session ends. */
function useEnd(): End {
  const [last, setLast] = useState<number | undefined>()
  const [gone, setGone] = useState(false)
  const known = useRef(0)
  const grow = (seq: number): void => {
    known.current = Math.max(known.current, seq)
    setLast(known.current)
  }
  return {
    last,
    gone,
    grow,
    reset() {
      known.current = 0
      setLast(undefined)
      setGone(false)
    },
    read(newest) {
      // Only a session that was forgotten has fewer than before.
      const had = known.current > 0
      setGone((before) => newest === 0 && (before || had))
      if (newest === 0) known.current = 0
      grow(newest)
    },
  }
}

function pageOf(seq: number): number {
  return Math.floor((Math.max(1, seq) - 1) / PAGE)
}
