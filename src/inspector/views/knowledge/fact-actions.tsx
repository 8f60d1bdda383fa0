import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Fact } from '../../../domain/fact.ts'
import { endpoints } from '../../data/endpoints.ts'
import { sendWrite } from '../../data/request.ts'
import { mayDo } from '../../data/signed-in.ts'
import { ActionButton } from '../../parts/action-button.tsx'
import { ForgetDialog } from '../../parts/forget-dialog.tsx'

/** What can be done with a fact, by what the key may do. */
export function FactActions({ fact }: { readonly fact: Fact }): JSX.Element | null {
  const [forgetting, setForgetting] = useState(false)
  const { id, scope, state, sources } = fact
  const change = (verb: string, body: object): Promise<unknown> =>
    sendWrite(endpoints.scope(scope, `facts/${encodeURIComponent(id)}/${verb}`), { body })
  const waiting = state === 'quarantined' || state === 'disputed'
  const message = sources.find(({ type }) => type === 'message')
  if (!mayDo('write')) return null
  return (
    <div class="row wrap fact-actions">
      {waiting && mayDo('admin') && (
        <ActionButton run={() => change('endorse', { channel: 'operator' })}>Endorse</ActionButton>
      )}
      {state === 'retracted' ? (
        <ActionButton run={() => change('restore', {})}>Restore</ActionButton>
      ) : (
        <ActionButton
          kind={waiting ? 'is-small is-primary' : 'is-small'}
          run={() =>
            change('retract', { reason: waiting ? 'rejected in the inspector' : 'retracted in the inspector' })
          }
        >
          {waiting ? 'Reject' : 'Retract'}
        </ActionButton>
      )}
      {message?.type === 'message' && (
        <ActionButton
          run={() =>
            sendWrite(endpoints.scope(scope, 'roll-back'), {
              body: { source: { message: message.id, session: message.session } },
            })
          }
        >
          Take back all its message taught
        </ActionButton>
      )}
      <button type="button" class="btn is-small is-danger" onClick={() => setForgetting(true)}>
        Forget …
      </button>
      {forgetting && (
        <ForgetDialog
          scope={scope}
          what={{ fact: id }}
          title={`the fact “${fact.text.slice(0, 80)}”`}
          name="forget"
          onClose={() => setForgetting(false)}
        />
      )}
    </div>
  )
}
