import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Message } from '../../../domain/message.ts'
import { mayDo } from '../../data/signed-in.ts'
import { Icon } from '../../parts/icon.tsx'
import { written } from '../../parts/numbers.ts'
import { PlainText } from '../../parts/plain-text.tsx'
import { MarginEntry } from './margin-entry.tsx'
import { MessageActions } from './message-actions.tsx'
import { MessageParts } from './message-parts.tsx'

interface MessageEntryProps {
  readonly message: Message
  /** It is behind a fold that was opened. */
  readonly folded: boolean
  /** It is the first of a run, so the margin says what the run is. */
  readonly first: boolean
  /** Why it is not in the request. */
  readonly omission: string | undefined
  readonly wanted: boolean
  readonly scope: string
  readonly session: string
}

/** One message: what was said, and what became of it. */
export function MessageEntry(props: MessageEntryProps): JSX.Element {
  const { message, folded, first, omission, wanted, scope, session } = props
  const { seq, role, name, at, tokens, removed, imported, revision } = message
  const [acting, setActing] = useState(false)
  const state = removed === true ? 'removed' : folded ? 'not sent' : (omission ?? 'in the window')
  const speaker = name ?? role
  return (
    <MarginEntry
      number={seq}
      tokens={tokens}
      lane={state === 'in the window' ? 'sent' : 'out'}
      note={first || (state !== 'in the window' && !folded) ? state : undefined}
      label={`${seq}, ${speaker}, ${role}, ${state}`}
      joined={role === 'tool'}
      wanted={wanted}
    >
      <div class="who">
        <b>
          <PlainText text={speaker} />
        </b>
        {name !== undefined && <span>{role}</span>}
        {imported === true && <span>imported</span>}
        {revision > 0 && <span>revision {revision}</span>}
        <time class="grow" datetime={at} title={written.moment(at)}>
          {written.time(at)}
        </time>
        {mayDo('write') && (
          <button
            type="button"
            class="icon-btn is-tight"
            aria-expanded={acting}
            aria-label={`Actions for message ${seq}`}
            onClick={() => setActing(!acting)}
          >
            <Icon name="more" />
          </button>
        )}
      </div>
      <MessageParts scope={scope} draft={message} />
      {acting && <MessageActions message={message} scope={scope} session={session} onDone={() => setActing(false)} />}
    </MarginEntry>
  )
}
