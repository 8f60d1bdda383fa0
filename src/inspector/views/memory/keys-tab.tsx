import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Key, NewKey, Verb } from '../../../domain/key.ts'
import { sendWrite } from '../../data/request.ts'
import { ownKey } from '../../data/signed-in.ts'
import { useReading } from '../../data/use-reading.ts'
import { ActionButton } from '../../parts/action-button.tsx'
import { Failed, Skeleton } from '../../parts/notices.tsx'
import { written } from '../../parts/numbers.ts'
import { PlainText } from '../../parts/plain-text.tsx'

/** Who may use the server. */
export function KeysTab(): JSX.Element {
  const { data, failure } = useReading<{ readonly keys: readonly Key[] }>('/v1/keys')
  if (failure !== undefined && data === undefined) return <Failed failure={failure} />
  if (data === undefined) return <Skeleton rows={3} />
  return (
    <div class="stacked">
      <NewKeyForm />
      <div class="sheet scrolls" tabIndex={0} role="region" aria-label="Keys">
        <table class="table">
          <thead>
            <tr>
              <th>Name</th>
              <th>Scope</th>
              <th>May</th>
              <th>Made</th>
              <th>Last used</th>
              <th>State</th>
              <th>Change</th>
            </tr>
          </thead>
          <tbody>
            {data.keys.map(({ id, name, scope, can, createdAt, lastUsedAt, revokedAt, expiresAt }) => (
              <tr key={id} class={revokedAt === null ? '' : 'is-closed'}>
                <td>
                  <PlainText text={name} />
                </td>
                <td>{scope === null ? 'the whole memory' : <PlainText text={scope} />}</td>
                <td>{can.join(', ')}</td>
                <td title={written.moment(createdAt)}>{written.date(createdAt)}</td>
                <td>{lastUsedAt === null ? 'never' : written.ago(lastUsedAt)}</td>
                <td>
                  {revokedAt !== null
                    ? 'revoked'
                    : id === ownKey.value?.id
                      ? 'in use here'
                      : expiresAt === null
                        ? 'valid'
                        : `until ${written.date(expiresAt)}`}
                </td>
                <td>
                  {revokedAt === null && id !== ownKey.value?.id && (
                    <ActionButton
                      kind="is-small is-danger"
                      run={() => sendWrite(`/v1/keys/${encodeURIComponent(id)}`, { method: 'DELETE' })}
                    >
                      Revoke
                    </ActionButton>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  )
}

function NewKeyForm(): JSX.Element {
  const [scope, setScope] = useState('')
  const [name, setName] = useState('')
  const [writes, setWrites] = useState(false)
  const [made, setMade] = useState<NewKey | undefined>()
  const make = async (): Promise<void> => {
    const can: readonly Verb[] = writes ? ['read', 'write'] : ['read']
    setMade(
      await sendWrite<NewKey>('/v1/keys', { body: { scope: scope.trim(), can, ...(name === '' ? {} : { name }) } }),
    )
  }
  return (
    <section class="card">
      <h2>Make a key for one scope</h2>
      <div class="row wrap">
        <input
          class="input"
          aria-label="Scope"
          placeholder="acme/ada"
          value={scope}
          onInput={(event) => setScope(event.currentTarget.value)}
        />
        <input
          class="input"
          aria-label="Name"
          placeholder="what it is for"
          value={name}
          onInput={(event) => setName(event.currentTarget.value)}
        />
        <label class="choice">
          <input type="checkbox" checked={writes} onChange={(event) => setWrites(event.currentTarget.checked)} />
          may also write
        </label>
        <ActionButton kind="is-primary" disabled={scope.trim() === ''} run={make}>
          Make the key
        </ActionButton>
      </div>
      {made !== undefined && (
        <p class="mini-receipt" role="status">
          Shown once: <code>{made.token}</code>
          <br />
          The page for its owner: <code>{`${location.origin}/me#key=${made.token}`}</code>
        </p>
      )}
    </section>
  )
}
