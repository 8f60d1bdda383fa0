import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { EffectiveRetention, RetentionSet } from '../../../api/facts.ts'
import { endpoints } from '../../data/endpoints.ts'
import { request, sendWrite } from '../../data/request.ts'
import { ActionButton } from '../../parts/action-button.tsx'
import { written } from '../../parts/numbers.ts'
import { PlainText } from '../../parts/plain-text.tsx'

interface RetentionFormProps {
  readonly scope: string
  readonly retention: EffectiveRetention | null
}

/** Sets how long messages are kept. What that would destroy is counted first, and the scope is typed. */
export function RetentionForm({ scope, retention }: RetentionFormProps): JSX.Element {
  const [days, setDays] = useState(String(retention?.policy.days ?? ''))
  const [messages, setMessages] = useState(String(retention?.policy.messages ?? ''))
  const [dry, setDry] = useState<RetentionSet | undefined>()
  const [typed, setTyped] = useState('')
  const policy =
    days === '' && messages === ''
      ? null
      : { ...(days === '' ? {} : { days: Number(days) }), ...(messages === '' ? {} : { messages: Number(messages) }) }
  const path = endpoints.scope(scope, 'retention')
  const change = (set: (text: string) => void) => (event: { readonly currentTarget: HTMLInputElement }) => {
    set(event.currentTarget.value)
    setDry(undefined)
    setTyped('')
  }
  const look = async (): Promise<void> =>
    setDry(await request<RetentionSet>(path, { method: 'PUT', body: { policy, dryRun: true } }))
  const store = async (): Promise<void> => {
    await sendWrite(path, { method: 'PUT', body: { policy } })
    setDry(undefined)
    setTyped('')
  }
  const destroys = dry !== undefined && dry.overdue.messages > 0
  return (
    <div class="after-words stacked">
      <div class="row wrap">
        <label>
          Keep messages for <input class="input is-number" inputMode="numeric" value={days} onInput={change(setDays)} />{' '}
          days
        </label>
        <label>
          Keep the newest{' '}
          <input class="input is-number" inputMode="numeric" value={messages} onInput={change(setMessages)} /> messages
          of each session
        </label>
        <ActionButton kind="" disabled={policy === null && retention === null} run={look}>
          {policy === null ? 'Keep everything …' : 'See what this would forget'}
        </ActionButton>
      </div>
      {dry !== undefined && (
        <div role="status" class="stacked">
          <p class="words">
            {destroys
              ? `A dry run found ${written.count(dry.overdue.messages, 'message')} in ${written.count(dry.overdue.sessions, 'session')} that would be destroyed, in this scope and below. This cannot be undone.`
              : 'A dry run found nothing that would be destroyed now.'}
          </p>
          <div class="row wrap">
            {destroys && (
              <label>
                Type{' '}
                <b>
                  <PlainText text={scope} />
                </b>{' '}
                to confirm{' '}
                <input class="input" value={typed} onInput={(event) => setTyped(event.currentTarget.value)} />
              </label>
            )}
            <ActionButton kind={destroys ? 'is-destroy' : ''} disabled={destroys && typed !== scope} run={store}>
              {policy === null ? 'Keep everything' : 'Set the retention'}
            </ActionButton>
          </div>
        </div>
      )}
    </div>
  )
}
