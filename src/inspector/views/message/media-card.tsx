import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { MediaPart } from '../../../domain/part.ts'
import { endpoints } from '../../data/endpoints.ts'
import { request } from '../../data/request.ts'
import { written } from '../../parts/numbers.ts'
import { PlainText } from '../../parts/plain-text.tsx'

/** Types that a browser draws and that cannot hold a script. */
const DRAWN = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

interface MediaCardProps {
  readonly scope: string
  readonly session: string
  readonly part: MediaPart
}

/** An image, a file or a sound: what it is, and of a stored image a small picture. Nothing is loaded from elsewhere. */
export function MediaCard({ part, scope, session }: MediaCardProps): JSX.Element {
  const address = useStoredImage(part, scope, session)
  const { source } = part
  const size =
    source.type === 'blob' ? written.bytes(source.bytes) : source.type === 'url' ? 'elsewhere, not loaded' : ''
  const name = 'name' in part ? part.name : undefined
  return (
    <div class="media">
      {address !== undefined && <img src={address} alt={name ?? 'Image of the message'} width="64" height="64" />}
      <div>
        <b>{part.type}</b> <PlainText text={[name, part.mediaType, size].filter(Boolean).join(' · ')} />
        {source.type === 'url' && (
          <p class="dim">
            <PlainText text={source.url.slice(0, 2_000)} />
          </p>
        )}
        {part.type === 'audio' && part.transcript !== undefined && (
          <p>
            <PlainText text={part.transcript} />
          </p>
        )}
      </div>
    </div>
  )
}

function useStoredImage(part: MediaPart, scope: string, session: string): string | undefined {
  const [address, setAddress] = useState<string | undefined>()
  const hash = part.type === 'image' && part.source.type === 'blob' ? part.source.hash : undefined
  const type = part.mediaType ?? ''
  useEffect(() => {
    if (hash === undefined || !DRAWN.includes(type)) return undefined
    let made: string | undefined
    let ended = false
    const body = { messages: [{ role: 'user', parts: [part] }] }
    request<{ readonly blobs: Readonly<Record<string, string>> }>(endpoints.session(scope, session, 'blobs'), {
      body,
    })
      .then(({ blobs }) => {
        const bytes = Uint8Array.from(atob(blobs[hash] ?? ''), (character) => character.codePointAt(0) ?? 0)
        if (ended || bytes.length === 0) return
        made = URL.createObjectURL(new Blob([bytes], { type }))
        setAddress(made)
      })
      .catch(() => undefined)
    return () => {
      ended = true
      if (made !== undefined) URL.revokeObjectURL(made)
    }
  }, [hash, scope, session])
  return address
}
