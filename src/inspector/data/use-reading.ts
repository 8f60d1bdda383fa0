import { useEffect, useRef, useState } from 'preact/hooks'
import { type FollowedEvent, useScopeEvents } from './scope-events.ts'
import { RequestFailure, type RequestOptions, edition, request } from './request.ts'

/** What was read for a view. What was read last stays while it is read again. */
export interface Reading<Result> {
  readonly data?: Result
  readonly failure?: RequestFailure
  readonly loading: boolean
  /** When `data` was read. */
  readonly at?: number
}

export interface ReadingOptions extends Pick<RequestOptions, 'body'> {
  /** Read again after this many milliseconds, while the page can be seen. */
  readonly everyMs?: number
  /** Read again when something like this happens in a scope. */
  readonly when?: { readonly scope: string | null; readonly happens: (event: FollowedEvent) => boolean }
}

/** Many things that happen at once are read together. */
const PAUSE_MS = 300

/** Reads an address for as long as a component is shown; `null` reads nothing. */
export function useReading<Result>(path: string | null, options: ReadingOptions = {}): Reading<Result> {
  const { body, everyMs, when } = options
  const question = path === null ? null : `${path} ${body === undefined ? '' : JSON.stringify(body)}`
  const [reading, setReading] = useState<Reading<Result> & { readonly question?: string | null }>({ loading: true })
  const latest = useRef(reading)
  latest.current = reading
  const round = edition.value
  const again = useRef<() => void>(() => undefined)
  const pause = useRef<number | undefined>(undefined)
  useScopeEvents(when?.scope ?? null, (event) => {
    if (when?.happens(event) !== true || pause.current !== undefined) return
    pause.current = window.setTimeout(() => {
      pause.current = undefined
      again.current()
    }, PAUSE_MS)
  })
  useEffect(() => {
    if (path === null) return undefined
    const ended = new AbortController()
    const keep = latest.current.question === question ? latest.current : {}
    setReading({ ...keep, question, loading: true })
    const read = async (): Promise<void> => {
      try {
        const data = await request<Result>(path, { ...(body === undefined ? {} : { body }), signal: ended.signal })
        if (!ended.signal.aborted) setReading({ data, question, loading: false, at: Date.now() })
      } catch (error) {
        if (ended.signal.aborted) return
        const failure = error instanceof RequestFailure ? error : new RequestFailure('page/failed', String(error))
        const old = latest.current.question === question && failure.code === 'offline' ? latest.current : {}
        setReading({ ...old, failure, question, loading: false })
      }
    }
    void read()
    again.current = () => void read()
    const timer =
      everyMs === undefined
        ? undefined
        : setInterval(() => {
            if (document.visibilityState === 'visible') void read()
          }, everyMs)
    return () => {
      ended.abort()
      again.current = () => undefined
      clearInterval(timer)
    }
    // The question stands for path and body.
  }, [question, everyMs, round])
  return reading.question === question ? reading : { loading: path !== null }
}
