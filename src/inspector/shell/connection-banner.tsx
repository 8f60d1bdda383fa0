import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { connection, tryNow } from '../data/request.ts'
import { Icon } from '../parts/icon.tsx'
import { written } from '../parts/numbers.ts'

/** Says that the server is away, what is shown meanwhile, and when the page tries again. */
export function ConnectionBanner(): JSX.Element | null {
  const { lost, since, retryAt } = connection.value
  const [now, setNow] = useState(Date.now())
  useEffect(() => {
    if (!lost) return undefined
    const timer = setInterval(() => setNow(Date.now()), 500)
    return () => clearInterval(timer)
  }, [lost])
  if (!lost) return null
  const seconds = Math.max(0, Math.ceil((retryAt - now) / 1_000))
  return (
    <div class="banner" role="status">
      <Icon name="offline" />
      <p>
        <b>The server does not respond.</b> You see what was loaded at {written.time(since)}.{' '}
        {seconds === 0 ? 'Trying again.' : `Trying again in ${seconds} s.`}
      </p>
      <button type="button" class="btn is-small" onClick={tryNow}>
        Try now
      </button>
    </div>
  )
}
