import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { ForgetTarget } from '../../api/facts.ts'
import type { ForgetReceipt } from '../../domain/forget-receipt.ts'
import { endpoints } from '../data/endpoints.ts'
import { RequestFailure, edition, exchange, request } from '../data/request.ts'
import { ActionButton } from './action-button.tsx'
import { Modal } from './modal.tsx'
import { written } from './numbers.ts'
import { PlainText } from './plain-text.tsx'

const rows: readonly (readonly [keyof ForgetReceipt, string])[] = [
  ['messages', 'Messages'],
  ['revisions', 'Earlier revisions of them'],
  ['folds', 'Compactions that are rewritten without them'],
  ['facts', 'Facts that nothing else supports'],
  ['versions', 'Versions of these facts'],
  ['state', 'Values of the state'],
]

interface ForgetDialogProps {
  readonly scope: string
  readonly what: ForgetTarget
  /** What is destroyed, for the title: "session lamp-research". */
  readonly title: string
  /** What must be typed. */
  readonly name: string
  readonly onClose: () => void
  readonly onForgotten?: (receipt: ForgetReceipt) => void
}

/** Destroys something: a dry run first, then its name is typed. The server confirms the dry run for this very target. */
export function ForgetDialog({ scope, what, title, name, onClose, onForgotten }: ForgetDialogProps): JSX.Element {
  const [dry, setDry] = useState<{ readonly receipt: ForgetReceipt; readonly confirmation: string } | undefined>()
  const [failure, setFailure] = useState<string | undefined>()
  const [typed, setTyped] = useState('')
  const [done, setDone] = useState<ForgetReceipt | undefined>()
  const path = endpoints.scope(scope, 'forget')
  useEffect(() => {
    exchange<ForgetReceipt>(path, { body: { ...what, dryRun: true } })
      .then(({ data, headers }) => setDry({ receipt: data, confirmation: headers.get('daybook-confirm') ?? '' }))
      .catch((error: unknown) => setFailure(error instanceof RequestFailure ? error.message : String(error)))
  }, [])
  const destroy = async (): Promise<void> => {
    const headers = { 'daybook-confirm': dry?.confirmation ?? '' }
    const receipt = await request<ForgetReceipt>(path, { body: { ...what }, headers })
    setDone(receipt)
    onForgotten?.(receipt)
  }
  const close = (): void => {
    onClose()
    if (done !== undefined) edition.value += 1
  }
  return (
    <Modal label={`Destroy ${title}`} onClose={close}>
      <header>
        <h2>
          {done === undefined ? (
            <>
              Destroy <PlainText text={title} />?
            </>
          ) : (
            <>
              Destroyed: <PlainText text={title} />
            </>
          )}
        </h2>
      </header>
      <div class="dialog-body">
        {failure !== undefined && (
          <p class="bad-text" role="alert">
            <PlainText text={failure} />
          </p>
        )}
        {done === undefined ? (
          <p>This cannot be undone. A dry run found:</p>
        ) : (
          <p role="status">
            Receipt <code>{done.id}</code>, {written.moment(done.at)}.
          </p>
        )}
        <Counts receipt={done ?? dry?.receipt} />
        {done === undefined && <TypedName name={name} typed={typed} onType={setTyped} />}
      </div>
      <footer>
        <button type="button" class="btn" onClick={close}>
          {done === undefined ? 'Cancel' : 'Close'}
        </button>
        {done === undefined && (
          <ActionButton kind="is-destroy" disabled={typed !== name || dry === undefined} run={destroy}>
            Destroy
          </ActionButton>
        )}
      </footer>
    </Modal>
  )
}

interface TypedNameProps {
  readonly name: string
  readonly typed: string
  readonly onType: (text: string) => void
}

function TypedName({ name, typed, onType }: TypedNameProps): JSX.Element {
  return (
    <label>
      <span>
        Type{' '}
        <b>
          <PlainText text={name} />
        </b>{' '}
        to confirm
      </span>
      <input
        class="input"
        autocomplete="off"
        spellcheck={false}
        value={typed}
        onInput={(event) => onType(event.currentTarget.value)}
      />
    </label>
  )
}

function Counts({ receipt }: { readonly receipt: ForgetReceipt | undefined }): JSX.Element | null {
  if (receipt === undefined) return null
  return (
    <table class="ledger">
      <tbody>
        {rows
          .filter(([kind]) => receipt[kind] !== 0)
          .map(([kind, text]) => (
            <tr key={kind}>
              <td>{text}</td>
              <td class="num">{written.number(Number(receipt[kind]))}</td>
            </tr>
          ))}
        <tr class="total">
          <td>Content</td>
          <td class="num">{written.bytes(receipt.bytes)}</td>
        </tr>
      </tbody>
    </table>
  )
}
