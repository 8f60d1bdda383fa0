import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { RequestFailure } from '../data/request.ts'
import { addressOf } from '../data/place.ts'
import { ownKey } from '../data/signed-in.ts'
import { PlainText } from './plain-text.tsx'

const SKELETON_AFTER_MS = 150

/** The shape of what follows, when it takes longer than a moment. */
export function Skeleton({ rows = 6 }: { readonly rows?: number }): JSX.Element {
  const [late, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), SKELETON_AFTER_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div class="sheet ruled" aria-busy="true">
      <p class="only-heard" role="status">
        Loading
      </p>
      {Array.from({ length: rows }, (_, row) => (
        <div class="skeleton" key={row}>
          <div>{late && <i class="bone is-short" />}</div>
          <div>
            {late && <i class={`bone is-${(row % 3) + 1}`} />}
            {late && <i class={`bone is-${((row + 1) % 3) + 4}`} />}
          </div>
        </div>
      ))}
    </div>
  )
}

interface SaidProps {
  readonly title: ComponentChildren
  readonly children?: ComponentChildren
}

/** Where there is nothing to show: why, and what to do about it. */
export function Empty({ title, children }: SaidProps): JSX.Element {
  return (
    <div class="sheet ruled">
      <div class="empty">
        <h2>{title}</h2>
        {children}
      </div>
    </div>
  )
}

/** A read that failed, in words: what happened, and what to do. */
export function Failed({ failure }: { readonly failure: RequestFailure }): JSX.Element {
  const { code, message } = failure
  const own = ownKey.value?.scope
  return (
    <div class="sheet ruled" role="alert">
      <div class="empty is-problem">
        <h2>{titleOf(failure)}</h2>
        <p>
          <PlainText text={message} />
        </p>
        <p class="row">
          <a class="btn is-primary" href={addressOf('/sessions', { scope: own })}>
            {own === null || own === undefined ? 'Go to all sessions' : `Go to ${own}`}
          </a>
        </p>
        <p class="code">
          For support: <code>{code}</code>
        </p>
      </div>
    </div>
  )
}

function titleOf({ code }: RequestFailure): string {
  if (code === 'offline') return 'The server does not respond.'
  if (code === 'access/not-found') return 'There is nothing here for this key.'
  if (code === 'access/forbidden') return 'This key may not do that.'
  if (code.endsWith('/not-found')) return 'This is not in the memory.'
  if (code === 'server/overloaded') return 'Too many requests at once.'
  return 'This could not be read.'
}
