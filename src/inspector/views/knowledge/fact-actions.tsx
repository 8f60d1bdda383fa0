import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Fact } from '../../../domain/fact.ts'
import { endpoints } from '../../data/endpoints.ts'
import { sendWrite } from '../../data/request.ts'
import { mayDo } from '../../data/signed-in.ts'
import { Action } from '../../parts/action.tsx'
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
        <Action kind="is-small is-primary" run={() => change('endorse', { channel: 'operator' })}>
          Endorse
        </Action>
      )}
      {state === 'retracted' ? (
        <Action run={() => change('restore', {})}>Restore</Action>
      ) : (
        <Action
          run={() =>
            change('retract', { reason: waiting ? 'rejected in the inspector' : 'retracted in the inspector' })
          }
        >
          {waiting ? 'Reject' : 'Retract'}
        </Action>
      )}
      {message?.type === 'message' && (
        <Action
          run={() =>
            sendWrite(endpoints.scope(scope, 'roll-back'), {
              body: { source: { message: message.id, session: message.session } },
            })
          }
        >
          Take back all its message taught
        </Action>
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
