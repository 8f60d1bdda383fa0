import type { JSX } from 'preact'
import type { Fact, FactSource } from '../../../domain/fact.ts'
import type { Message } from '../../../domain/message.ts'
import { endpoints } from '../../data/endpoints.ts'
import { addressOf } from '../../data/place.ts'
import { useReading } from '../../data/use-reading.ts'
import { written } from '../../parts/numbers.ts'
import { PlainText } from '../../parts/plain-text.tsx'
import { wordsOf } from '../../parts/words-of.ts'

/** The words that a fact came from. */
export function SourceWords({ source, fact }: { readonly source: FactSource; readonly fact: Fact }): JSX.Element {
  if (source.type === 'message') return <MessageWords source={source} fact={fact} />
  return (
    <p class="from">
      {source.type === 'fact'
        ? 'Worked out from another fact.'
        : `${source.type === 'told' ? 'Stored' : 'Endorsed'} by ${/^[aeio]/.test(source.channel) ? 'an' : 'a'} ${source.channel} on ${written.date(source.at)}.`}
    </p>
  )
}

interface MessageWordsProps {
  readonly source: Extract<FactSource, { readonly type: 'message' }>
  readonly fact: Fact
}

/** The message itself, so that the evidence is where the claim is. */
function MessageWords({ source, fact }: MessageWordsProps): JSX.Element {
  const { session, id, role } = source
  const message = useReading<Message>(endpoints.session(fact.scope, session, `messages/${encodeURIComponent(id)}`))
  const text = message.data === undefined ? '' : wordsOf(message.data)
  const seq = message.data?.seq
  return (
    <blockquote class={fact.trust === 0 ? 'quote' : 'words'}>
      {message.failure === undefined ? (
        <p>
          {fact.trust === 0 ? '' : '“'}
          <PlainText text={text.slice(0, 600)} />
          {fact.trust === 0 ? '' : '”'}
        </p>
      ) : (
        <p class="dim">The message cannot be read any more.</p>
      )}
      <footer>
        <PlainText text={message.data?.name ?? role} />
        {message.data !== undefined && `, ${written.day(message.data.at)}, ${written.time(message.data.at)}`} ·{' '}
        <a
          href={addressOf('/session', {
            scope: fact.scope,
            id: session,
            message: seq === undefined ? id : undefined,
            seq,
          })}
        >
          <PlainText text={session} />
          {seq !== undefined && `, message ${seq}`}
        </a>
      </footer>
    </blockquote>
  )
}
