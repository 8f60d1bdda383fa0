import type { JSX } from 'preact'
import type { MediaPart } from '../../../domain/part.ts'
import { endpoints } from '../../data/endpoints.ts'
import { written } from '../../parts/numbers.ts'
import { PlainText } from '../../parts/plain-text.tsx'

/** Types that a browser draws and that cannot hold a script. */
const DRAWN = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

interface MediaCardProps {
  readonly scope: string
  readonly part: MediaPart
}

/** An image, a file or a sound: what it is, and of a stored image a small picture. Nothing is loaded from elsewhere. */
export function MediaCard({ part, scope }: MediaCardProps): JSX.Element {
  const { source } = part
  const address =
    source.type === 'blob' ? endpoints.scope(scope, `blobs/${encodeURIComponent(source.hash)}`) : undefined
  const drawn = part.type === 'image' && DRAWN.includes(part.mediaType ?? '')
  const size =
    source.type === 'blob' ? written.bytes(source.bytes) : source.type === 'url' ? 'elsewhere, not loaded' : ''
  const name = 'name' in part ? part.name : undefined
  return (
    <div class="media">
      {address !== undefined && drawn && (
        <a href={address} target="_blank" rel="noreferrer">
          <img src={address} alt={name ?? 'Image of the message'} width="64" height="64" loading="lazy" />
        </a>
      )}
      <div>
        <b>{part.type}</b> <PlainText text={[name, part.mediaType, size].filter(Boolean).join(' · ')} />
        {address !== undefined && !drawn && (
          <p>
            <a href={address} download={name ?? part.type}>
              Download
            </a>
          </p>
        )}
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
